import numpy as np
import tensorflow as tf


def rows():
    table = np.zeros((2000, 10))

    @tf.function
    def embed(i):
        return tf.gather(table, i)

    with tf.Graph().as_default():
        return embed(tf.constant([1])).shape


shape = rows()
