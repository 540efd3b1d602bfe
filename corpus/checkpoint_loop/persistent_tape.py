import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape(persistent=True) as tape:  # refused: checkpoint_loop: the tape is persistent
        for t in range(64):
            state = tf.tanh(x[t] @ w + state @ u)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, w), tape.gradient(loss, u)


gradients = gradients_of(x)
