import tensorflow as tf

w = tf.Variable(tf.eye(64) * 0.5)


def gradient_of(state):
    scale = 0.5
    with tf.GradientTape() as tape:
        # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
        def segment(start, stop, scale):
            def steps(state):
                for _ in range(start, stop):
                    state = tf.tanh(state @ w) * scale
                return state

            return steps if stop == 100 else tf.recompute_grad(steps)

        for start in range(0, 100, 10):
            state = segment(start, min(start + 10, 100), scale)(state)
        loss = tf.reduce_sum(state)
    scale = 2.0
    return tape.gradient(loss, w) * scale


gradient = gradient_of(tf.ones([64, 64]))
print(gradient.shape)
