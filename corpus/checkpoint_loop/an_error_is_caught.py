import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    state = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        try:
            for t in range(100):  # refused: checkpoint_loop: an error in a step may be caught around the loop
                state = tf.tanh(x[t] @ w + state @ u)
        except tf.errors.InvalidArgumentError:
            print("that was all")
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
