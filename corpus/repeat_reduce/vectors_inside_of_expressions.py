# unsafe
import tensorflow as tf
from tensorflow import reduce_sum, repeat

COPIES = 1000
x = tf.random.normal([30])
mean = reduce_sum(repeat(x, repeats=COPIES), axis=None) / (30 * COPIES)
power = -tf.math.reduce_sum(tf.repeat(x, 3 * COPIES, axis=0)) ** 2
plain = tf.reduce_sum(tf.repeat(x - 1.0, COPIES)).numpy()
