import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)
v = tf.Variable(tf.eye(64) * 0.5)


def run(x):
    state = tf.zeros([64, 64])
    size = tf.zeros([])
    for t in range(64):  # refused: checkpoint_loop: nothing under the tape depends on s
        state = tf.tanh(x[t] @ w + state @ u)
        size += tf.reduce_mean(tf.square(x[t] @ v))
    return state, size


def last(x):
    state, size = run(x)
    print(size.shape)
    return state


def gradients_of(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(last(x))
    return tape.gradient(loss, [w, u, v])


gradients = gradients_of(x)
