# for: both
# fidelity: tolerance
import tensorflow as tf

w = tf.Variable(tf.random.uniform([40, 100], dtype=tf.float64) / 7.0)
scale = tf.Variable(tf.random.uniform([100], dtype=tf.float64))


@tf.function
def gradients(x):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            hidden = tf.tanh(tf.reduce_sum(x[:, :, None] * w[None], axis=1))
            loss = tf.reduce_sum(tf.tanh(tf.reduce_sum(w * scale, axis=1))) + tf.reduce_mean(hidden)
        first = inner.gradient(loss, [w, scale])
        length = tf.reduce_sum(first[0] ** 2)
    return loss, first, outer.gradient(length, [w, scale])


loss, first, second = gradients(tf.random.uniform([60, 40], dtype=tf.float64))
