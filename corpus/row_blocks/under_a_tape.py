import tensorflow as tf


def distances(x, y):
    differences = x[:, None, :] - y[None, :, :]
    return tf.reduce_sum(tf.square(differences), axis=-1)  # refused: row_blocks: a tape may record it, and keeps what every block computes


centres = tf.Variable(tf.random.normal([600, 16]))
points = tf.random.normal([600, 16])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.reduce_min(distances(points, centres), axis=1))
gradient = tape.gradient(loss, centres)
