import tensorflow as tf

w = tf.Variable(tf.eye(64) * 0.5)


@tf.function
def gradient_of(state):
    with tf.GradientTape() as tape:
        for t in range(100):
            state = tf.tanh(state @ w) * (1.0 / (t + 1))  # refused: checkpoint_loop: t is a Python number
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, w)


gradient = gradient_of(tf.ones([64, 64]))
print(gradient.shape)
