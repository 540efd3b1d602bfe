import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)
v = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    state = tf.zeros([64, 64])
    size = 0.0
    with tf.GradientTape() as tape:
        for t in range(64):  # refused: checkpoint_loop: nothing under the tape depends on size
            state = tf.tanh(x[t] @ w + state @ u)
            size += tf.reduce_mean(tf.square(x[t] @ v))
        loss = tf.reduce_sum(state) / (1 + len(size.shape))
        shown = 0.1 * size
    return tape.gradient(loss, [w, u, v]), float(shown)


gradients, shown = gradients_of(x)
