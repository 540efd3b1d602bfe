import tensorflow as tf


def look(table, ids, column):
    shares = tf.gather(tf.nn.softmax(table, axis=0), ids)
    units = tf.gather(tf.nn.l2_normalize(table), ids)
    summed = tf.gather(tf.cumsum(table), ids)
    divided = tf.gather(tf.cast(table * 100.0, tf.int32) // 7, ids)
    shifted = tf.gather(table + column, ids)
    crossed = tf.gather(tf.matmul(table, table, transpose_a=True), ids)
    both = tf.gather(table * table, ids)
    columns = tf.gather(tf.tanh(table), ids, axis=1)
    vector = tf.gather(tf.reduce_sum(table, axis=1), ids)
    return shares, units, summed, divided, shifted, crossed, both, columns, vector


table = tf.random.uniform([5000, 64], seed=1)
result = look(table, tf.constant([3, 17, 0, 3]), table[:, :1])
