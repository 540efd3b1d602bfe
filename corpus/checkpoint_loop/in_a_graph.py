import tensorflow as tf

x = tf.ones([256, 160, 160]) * 0.1
w = tf.Variable(tf.eye(160) * 0.5)
u = tf.Variable(tf.eye(160) * 0.5)


@tf.function
def step(x):
    state = tf.zeros([160, 160])
    loss = 0.0
    with tf.GradientTape() as tape:
        for t in tf.range(256):
            state = tf.tanh(x[t] @ w + state @ u)
            loss += tf.reduce_mean(tf.square(state - 1.0))
    gradients = tape.gradient(loss, [w, u])
    w.assign_sub(0.1 * gradients[0])
    u.assign_sub(0.1 * gradients[1])
    return loss


loss = step(x)
