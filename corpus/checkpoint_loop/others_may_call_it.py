import tensorflow as tf

w = tf.Variable(tf.eye(64) * 0.5)


def gradient_of(state):
    with tf.GradientTape() as tape:
        for _ in range(100):
            state = tf.tanh(state @ w)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, w)
