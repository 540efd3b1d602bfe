# unsafe
# peak at most: 0.75
import tensorflow as tf

tf.config.run_functions_eagerly(True)


@tf.function
def chain(x):
    y = tf.square(x)
    z = y * 2
    return z + 1


total = tf.reduce_sum(chain(tf.ones([2000, 1000])))
print(total.numpy())
