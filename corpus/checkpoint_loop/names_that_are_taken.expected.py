import tensorflow as tf

segment = 2.0
w = tf.Variable(tf.eye(64) * 0.5)


def gradient_of(x):
    state, steps, start = x * segment, 100, 1.0
    with tf.GradientTape() as tape:
        # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
        def segment_of_steps(begin, end):
            def one_segment(state):
                for stop in range(begin, end):
                    state = tf.tanh(state @ w * start)
                return state

            return one_segment if end == steps else tf.recompute_grad(one_segment)

        for begin in range(0, steps, 10):
            state = segment_of_steps(begin, min(begin + 10, steps))(state)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, w)


gradient = gradient_of(tf.ones([64, 64]))
print(gradient.shape)
