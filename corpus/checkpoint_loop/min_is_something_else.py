import tensorflow as tf

min = 0.5
w = tf.Variable(tf.eye(200) * 0.5)


def gradient_of(h):
    with tf.GradientTape() as tape:
        for _ in range(64):  # refused: checkpoint_loop: min is given another meaning here
            h = tf.tanh(h @ w + h * min)
        loss = tf.reduce_mean(h)
    return tape.gradient(loss, w)


gradient = gradient_of(tf.ones([200, 200]))
