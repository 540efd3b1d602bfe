import tensorflow as tf

w = tf.Variable(tf.eye(64) * 0.5)
unused = tf.Variable(tf.eye(64))


def gradients_of(state):
    last = tf.zeros([64, 64])
    with tf.GradientTape() as tape:
        for _ in range(100):  # refused: checkpoint_loop: nothing under the tape depends on last
            state = tf.tanh(state @ w)
            last = state @ unused
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, [w, unused]), last


gradients, last = gradients_of(tf.ones([64, 64]))
print(gradients[1] is None)
