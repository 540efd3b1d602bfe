import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def run(x):
    state = tf.zeros([64, 64])
    for t in range(64):  # refused: checkpoint_loop: the tape is outside of the graph
        state = tf.tanh(x[t] @ w + state @ u)
    return state


@tf.function
def last_state(x):
    return run(x)


def gradients_of(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(last_state(x))
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
