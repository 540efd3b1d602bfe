import tensorflow as tf

segment = 2.0
w = tf.Variable(tf.eye(64) * 0.5)


def gradient_of(x):
    state, steps, start = x * segment, 100, 1.0
    with tf.GradientTape() as tape:
        for stop in range(steps):
            state = tf.tanh(state @ w * start)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, w)


gradient = gradient_of(tf.ones([64, 64]))
print(gradient.shape)
