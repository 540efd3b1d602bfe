import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)
v = tf.Variable(tf.eye(64) * 3.5)


def gradients_of(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for t in range(64):
            counts = tf.cast(v, tf.int32)  # refused: checkpoint_loop: v has no derivative there
            state = tf.tanh(x[t] @ w + state @ u) * tf.cast(counts, tf.float32)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, [w, u, v])


gradients = gradients_of(x)
