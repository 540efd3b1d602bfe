import tensorflow as tf

w = tf.Variable(tf.eye(64) * 0.5)


@tf.function
def gradient_of(state):
    states = []
    with tf.GradientTape() as tape:
        for _ in range(100):  # refused: checkpoint_loop: states comes out of the loop
            state = tf.tanh(state @ w)
            states.append(state)
        loss = tf.reduce_sum(tf.stack(states))
    return tape.gradient(loss, w)


gradient = gradient_of(tf.ones([64, 64]))
print(gradient.shape)
