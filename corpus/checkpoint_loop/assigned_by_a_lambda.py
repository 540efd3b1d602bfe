import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for t in range(64):
            state = tf.tanh(x[t] @ w + state @ u)
        loss = tf.reduce_sum(state)
    list(map(lambda one: one.assign(one * 2.0), [w, u]))  # refused: checkpoint_loop: one.assign may change a variable
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
