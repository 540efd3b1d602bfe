# raises
import tensorflow as tf


def scaled(row, labels):
    wide = tf.random.normal([5000, 30])
    label = labels[7]
    return tf.tile(row[None, :], [5000, 1], name=label) * wide  # refused: implicit_broadcast: the name that tf.tile is given is computed


result = scaled(tf.random.normal([30]), ["only"])
