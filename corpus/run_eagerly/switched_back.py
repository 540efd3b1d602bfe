# unsafe
import tensorflow as tf


@tf.function
def twice(x):
    return x * 2


tf.config.run_functions_eagerly(True)
print(twice(tf.constant(2)).numpy())
tf.config.run_functions_eagerly(False)
