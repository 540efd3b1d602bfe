# unsafe
import tensorflow as tf
from tensorflow import reduce_sum, repeat

COPIES = 1000
x = tf.random.normal([30])
mean = reduce_sum(x) * COPIES / (30 * COPIES)
power = -(tf.math.reduce_sum(x) * (3 * COPIES)) ** 2
plain = (tf.reduce_sum(x - 1.0) * COPIES).numpy()
