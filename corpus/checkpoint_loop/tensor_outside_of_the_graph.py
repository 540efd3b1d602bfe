import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)
mask = tf.ones([64, 64]) * 0.9


@tf.function
def step(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for t in tf.range(64):
            state = tf.tanh(x[t] @ w @ mask + state @ u)  # refused: checkpoint_loop: mask may be a tensor of outside of the graph
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, [w, u])


gradients = step(x)
