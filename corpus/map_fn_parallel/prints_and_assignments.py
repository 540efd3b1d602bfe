import tensorflow as tf

seen = tf.Variable(0)


def counted(row):
    seen.assign_add(1)
    return tf.reduce_max(tf.tile(row, [100]))


@tf.function
def totals(rows):
    return tf.map_fn(counted, rows)  # refused: map_fn_parallel: free of effects


result = totals(tf.random.normal([20, 10]))
