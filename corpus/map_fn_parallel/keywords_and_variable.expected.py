import tensorflow as tf

weights = tf.Variable(tf.random.normal([10]))


@tf.function
def gradient(rows):
    with tf.GradientTape() as tape:
        scores = tf.map_fn(fn=lambda row: tf.reduce_sum(tf.tile(row * weights, [60])), elems=rows, parallel_iterations=1)
        loss = tf.reduce_sum(scores)
    return tape.gradient(loss, weights)


change = gradient(tf.random.normal([12, 10]))
