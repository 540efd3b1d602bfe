# fidelity: tolerance
import tensorflow as tf

w = tf.Variable(tf.random.normal([300, 20]))


@tf.function
def gradient(data):
    with tf.GradientTape() as tape:
        loss = 1.0 - tf.reduce_sum(w * tf.transpose(data)) ** 2
    return loss, tape.gradient(loss, w)


loss, change = gradient(tf.random.normal([20, 300]) / 100.0)
