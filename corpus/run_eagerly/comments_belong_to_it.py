# unsafe
import tensorflow as tf

# For debugging.
tf.config.run_functions_eagerly(True)

tf.config.run_functions_eagerly(True)  # refused: run_eagerly: a comment or its block belongs to it
tf.config.run_functions_eagerly(True); print("on")


@tf.function
def twice(x):
    return x * 2


print(twice(tf.constant(2)).numpy())
