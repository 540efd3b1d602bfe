"""A graph for every size before, two after."""

# peak at most: 0.7
import tensorflow as tf


@tf.function
def summed(x):
    return tf.reduce_sum(tf.tanh(x) * 2.0, 0)


@tf.function(autograph=False)
def product(x, y):
    return tf.matmul(x, y, transpose_a=True) / 3.0


def shifted(x):
    return x + 1.0


shift = tf.function(shifted)

data = tf.random.normal([40, 4])
sums = [summed(data[:count]) for count in range(1, 30)]
for i in range(1, 12):
    grown = product(tf.ones([i, 3]), y=tf.zeros([i, 2]))
    rest = shift(data[2 * i :])
