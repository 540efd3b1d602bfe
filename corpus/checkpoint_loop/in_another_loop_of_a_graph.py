import tensorflow as tf

w = tf.Variable(tf.eye(64) * 0.5)


@tf.function
def trained(state):
    for scale in tf.range(1.0, 3.0):
        with tf.GradientTape() as tape:
            inner = state
            for _ in range(100):  # refused: checkpoint_loop: it is in another loop
                inner = tf.tanh(inner @ w) * scale
            loss = tf.reduce_sum(inner)
        w.assign_sub(0.1 * tape.gradient(loss, w))


trained(tf.ones([64, 64]))
print(w.shape)
