import tensorflow as tf


@tf.function
def grown(x):
    rows = x[:, tf.newaxis]
    for i in range(90):  # refused: while_loop: rows changes its shape, and what comes after would no longer know it
        x = x * 0.9
        rows = tf.concat([rows, x[:, tf.newaxis]], 1)
    return tf.reshape(rows, [3, rows.shape[1]])


@tf.function
def asked_by_way_of_another(x):
    rows = x[:, tf.newaxis]
    for i in range(90):  # refused: while_loop: rows changes its shape, and what comes after would no longer know it
        x = x * 0.9
        rows = tf.concat([rows, x[:, tf.newaxis]], 1)
    more = rows + 1.0
    return tf.reshape(more, [3, more.shape[1]])


@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
def of_any_length(x):
    rows = x
    for i in range(60):
        x = x * 0.9
        rows = tf.concat([rows, x], 0)  # refused: while_loop: rows would no longer be of a known shape after the loop
    return tf.reshape(rows, [-1, rows.shape[1] * 3])


x = tf.ones([3])
result = grown(x), asked_by_way_of_another(x), of_any_length(tf.ones([3, 3]))
