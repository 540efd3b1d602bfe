import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradient_of(x):
    with tf.GradientTape() as tape:
        for t in range(64):  # refused: checkpoint_loop: loss, a state, is not known to be a tensor of float32
            loss = tf.reduce_sum(tf.tanh(x[t] @ w))
    return tape.gradient(loss, w)


gradient = gradient_of(x)
