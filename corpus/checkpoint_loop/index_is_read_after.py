import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for t in range(64):  # refused: checkpoint_loop: the index, is assigned in the loop or read after it
            state = tf.tanh(x[t] @ w + state @ u)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, [w, u]), t


gradients = gradients_of(x)
