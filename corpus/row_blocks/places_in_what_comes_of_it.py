import tensorflow as tf


def attend(queries, keys, values):
    weights = tf.nn.softmax(tf.matmul(queries, keys, transpose_b=True))
    result = tf.matmul(weights, values)  # refused: row_blocks: `tf.argmax(shifted, axis=1)` depends
    shifted = result + 1.0
    return result, tf.argmax(shifted, axis=1)


def near(queries, keys):
    similarity = tf.reduce_max(tf.matmul(queries, keys, transpose_b=True), axis=1)  # refused: row_blocks: `similarity > 0.5` depends
    if tf.reduce_all(similarity > 0.5):
        print("all of them are near")
    return similarity


queries, keys = tf.random.normal([2500, 16], seed=1), tf.random.normal([2501, 16], seed=2)
result, places = attend(queries, keys, tf.random.normal([2501, 16], seed=3))
similarity = near(queries, keys)
print("done")
