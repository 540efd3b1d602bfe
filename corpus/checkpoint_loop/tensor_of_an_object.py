import tensorflow as tf


class Drift(tf.Module):
    def __init__(self, scale):
        super().__init__()
        self.w = tf.Variable(tf.eye(64) * 0.5)
        self.scale = scale * tf.ones([64, 64])

    def step(self, state):
        return tf.tanh(state @ self.w) * self.scale  # refused: checkpoint_loop: may need a gradient, and would get none


speed = tf.Variable(0.5)


def gradients_of(state):
    with tf.GradientTape() as tape:
        drift = Drift(2.0 * speed)
        for _ in range(100):
            state = drift.step(state)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, [drift.w, speed])


gradients = gradients_of(tf.ones([64, 64]))
print(len(gradients))
