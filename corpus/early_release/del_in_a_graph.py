import tensorflow as tf


@tf.function
def chain(x):
    y = tf.square(x)
    z = y * 2
    del y  # refused: early_release: in a graph del frees nothing
    return z + 1


def repeated(element):
    rows = tf.range(element * 1000)
    total = tf.reduce_max(rows - 1)
    del rows  # refused: early_release: in a graph del frees nothing
    return total


sums = tf.data.Dataset.range(5).map(repeated)
print(tf.reduce_sum(chain(tf.ones([10]))).numpy(), [int(one) for one in sums])
