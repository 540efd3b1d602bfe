import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)
v = tf.Variable(tf.eye(64) * 0.5)


def run(x):
    state = tf.zeros([64, 64])
    size = tf.zeros([])

    # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
    def segment(start, stop):
        def steps(state, size):
            for t in range(start, stop):
                state = tf.tanh(x[t] @ w + state @ u)
                size += tf.reduce_mean(tf.square(x[t] @ v))
            return state, size

        return steps if stop == 64 else tf.recompute_grad(steps)

    for start in range(0, 64, 8):
        state, size = segment(start, min(start + 8, 64))(state, size)
    return state, size


def gradients_of(x):
    with tf.GradientTape() as tape:
        state, size = run(x)
        loss = tf.reduce_sum(state) + 0.1 * size
    return tape.gradient(loss, [w, u, v])


gradients = gradients_of(x)
print(len(gradients))
