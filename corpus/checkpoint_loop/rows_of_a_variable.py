import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)
rows = tf.range(64)


def gradients_of(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for t in range(64):
            state = tf.tanh(tf.gather(w, rows) + state @ u)  # refused: checkpoint_loop: whose gradient would be dense
        loss = tf.reduce_sum(state)
    return [tf.convert_to_tensor(one) for one in tape.gradient(loss, [w, u])]


gradients = gradients_of(x)
