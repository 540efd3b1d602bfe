# raises
"""Constants that are allocated eagerly, and a look at the memory that they need."""
import tensorflow as tf

tf.config.run_functions_eagerly(True)


@tf.function
def allocate():
    a = tf.constant(1.0, shape=[500, 500])
    b = tf.constant(2.0, shape=[500, 500])
    c = tf.constant(3.0, shape=[500, 500])
    return a + b + c


total = allocate()
print(tf.config.experimental.get_memory_info())
