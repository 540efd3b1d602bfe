# unsafe
import tensorflow as tf; tf.config.run_functions_eagerly(True)  # refused: run_eagerly: shares its line with another statement

tf.config.run_functions_eagerly(True)


@tf.function
def twice(x):
    return x * 2


print(twice(tf.constant(2)).numpy())
