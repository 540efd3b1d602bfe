import tensorflow as tf


def stacked(x, n):
    rows = []
    for _ in range(n):  # refused: compiled_loop: in a graph that calls this, rows would no longer be of a known shape
        x = tf.tanh(x)
        rows.append(x)
    return tf.stack(rows)


@tf.function
def flat(x, n):
    rows = stacked(x, n)
    return tf.reshape(rows, [rows.shape[0] * rows.shape[1]])


x = tf.ones([2])
result = stacked(x, 60), stacked(x, 70), flat(x, 60), flat(x, 70)
