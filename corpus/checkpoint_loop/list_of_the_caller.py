import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x, states):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for t in range(100):  # refused: checkpoint_loop: states is a list of somebody else's
            state = tf.tanh(x[t] @ w + state @ u)
            states.append(state)
        loss = tf.reduce_sum(tf.stack(states))
    return tape.gradient(loss, [w, u])


states = []
try:
    gradients = gradients_of(x, states)
except tf.errors.InvalidArgumentError:
    print(len(states))
