import tensorflow as tf

class Network(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.eye(64) * 0.5)

    def trained(self, x):
        state = x
        with tf.GradientTape() as tape:
            for _ in range(128):
                state = tf.tanh(state @ self.w)
            loss = tf.reduce_sum(state)
        gradient = tape.gradient(loss, self.w)
        self.w.assign_sub(0.1 * gradient)
        return loss


network = Network()
loss = network.trained(tf.ones([64, 64]))
