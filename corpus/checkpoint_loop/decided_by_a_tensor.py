import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for t in range(64):
            state = tf.tanh(x[t] @ w + state @ u)
            if tf.reduce_sum(state) > 100.0:  # refused: checkpoint_loop: is decided by a tensor
                state = state * 0.5
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
