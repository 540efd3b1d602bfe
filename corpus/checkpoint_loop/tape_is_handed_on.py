import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def taken(tape, loss):
    return tape.gradient(loss, [w, u])


def gradients_of(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for t in range(64):
            state = tf.tanh(x[t] @ w + state @ u)
        loss = tf.reduce_sum(state)
    return taken(tape, loss)  # refused: checkpoint_loop: is used for more than to take a gradient


gradients = gradients_of(x)
