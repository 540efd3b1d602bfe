import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    state = tf.zeros([64, 64])
    lengths = []
    with tf.GradientTape() as tape:
        for t in range(64):
            state = tf.tanh(x[t] @ w + state @ u)
            lengths.append(tf.sqrt(tf.reduce_sum(tf.square(state), 1)))  # refused: checkpoint_loop: a gradient would be NaN
        loss = tf.reduce_sum(state)
        loss = loss + tf.reduce_sum(lengths[-1])
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
