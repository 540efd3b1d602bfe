import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


@tf.function
def step(x):
    state = tf.zeros([64, 64])
    loss = 0.0
    with tf.GradientTape() as tape:
        for t in range(64):  # refused: checkpoint_loop: its results are rounded differently
            state = tf.tanh(x[t] @ w + state @ u)
            loss += tf.reduce_mean(tf.square(state - 1.0))
    gradients = tape.gradient(loss, [w, u])
    w.assign_sub(0.1 * gradients[0])
    return loss


print(float(step(x)) > 0.5)
