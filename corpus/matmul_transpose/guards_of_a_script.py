import sys
import tensorflow as tf


def scores(queries, keys):
    return tf.matmul(queries, tf.transpose(keys))  # refused: matmul_transpose: keys is not known to have rank 2


if "__main__" == __name__ and sys.argv:  # not run by who imports this
    result = scores(tf.random.normal([20, 30]), tf.random.normal([40, 30]))
