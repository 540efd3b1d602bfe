import tensorflow as tf


def look(table, ids):
    unit = tf.nn.l2_normalize(table, axis=1)
    return tf.gather(unit, ids), tf.reduce_sum(unit)


def most(table, ids):
    return tf.gather(tf.tanh(table), ids)  # refused: gather_first: and nothing is gained by doing so first


def small(table, ids):
    return tf.gather(tf.tanh(table), ids)


def of_any_size(table, ids):
    return tf.gather(tf.tanh(table), ids)  # refused: gather_first: are not known


table = tf.random.uniform([5000, 64], seed=1)
ids = tf.constant([3, 17, 0, 3])
result = look(table, ids), most(table, tf.range(5000)), small(table[:20], ids), of_any_size(table, ids), of_any_size(table[:20], ids)
