import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


class Weights:
    @property
    def clipped(self):
        u.assign(tf.clip_by_value(u, -0.2, 0.2))
        return u.shape


weights = Weights()


def gradients_of(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for t in range(64):
            state = tf.tanh(x[t] @ w + state @ u)
        loss = tf.reduce_sum(state)
    print(weights.clipped)  # refused: checkpoint_loop: u.assign may change a variable
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
