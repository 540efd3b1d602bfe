import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    state = tf.zeros([64, 64])
    count = tf.constant(0)
    with tf.GradientTape() as tape:
        for t in range(64):  # refused: checkpoint_loop: is not known to be a tensor of floats
            state = tf.tanh(x[t] @ w + state @ u)
            count = count + tf.reduce_sum(tf.cast(state > 0.5, tf.int32))
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, [w, u]), count


gradients = gradients_of(x)
