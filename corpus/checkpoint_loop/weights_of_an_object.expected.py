import tensorflow as tf

class Network(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.eye(64) * 0.5)

    def trained(self, x):
        state = x
        with tf.GradientTape() as tape:
            # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
            def segment(start, stop):
                def steps(state):
                    for _ in range(start, stop):
                        state = tf.tanh(state @ self.w)
                    return state

                return steps if stop == 128 else tf.recompute_grad(steps)

            for start in range(0, 128, 12):
                state = segment(start, min(start + 12, 128))(state)
            loss = tf.reduce_sum(state)
        gradient = tape.gradient(loss, self.w)
        self.w.assign_sub(0.1 * gradient)
        return loss


network = Network()
loss = network.trained(tf.ones([64, 64]))
