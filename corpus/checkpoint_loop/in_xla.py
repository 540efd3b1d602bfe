import tensorflow as tf

w = tf.Variable(tf.eye(64) * 0.5)


@tf.function(jit_compile=True)
def gradient_of(state):
    with tf.GradientTape() as tape:
        for _ in range(100):  # refused: checkpoint_loop: XLA keeps more of nested loops
            state = tf.tanh(state @ w)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, w)


gradient = gradient_of(tf.ones([64, 64]))
print(gradient.shape)
