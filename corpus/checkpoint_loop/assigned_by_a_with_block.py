import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


class Clipped:
    def __enter__(self):
        u.assign(tf.clip_by_value(u, -0.2, 0.2))

    def __exit__(self, *error):
        return False


def gradients_of(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for t in range(64):
            state = tf.tanh(x[t] @ w + state @ u)
        loss = tf.reduce_sum(state)
    with Clipped():  # refused: checkpoint_loop: Clipped() may change a variable
        print("clipped")
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
