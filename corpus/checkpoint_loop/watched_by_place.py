import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)
v = tf.Variable(tf.eye(64) * 0.9, False)


def gradients_of(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        tape.watch(v)
        for t in range(64):  # refused: checkpoint_loop: a tape may watch a variable that isn't trainable
            state = tf.tanh(x[t] @ w + state @ v)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, [w, v])


gradients = gradients_of(x)
