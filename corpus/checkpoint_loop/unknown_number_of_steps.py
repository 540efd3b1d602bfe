import tensorflow as tf

w = tf.Variable(tf.eye(64))


def gradient_of(state, steps):
    with tf.GradientTape() as tape:
        for _ in range(steps):  # refused: checkpoint_loop: how many steps there are, or how much a tape keeps of each, is not known
            state = tf.tanh(state @ w)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, w)


gradients = [gradient_of(tf.ones([64, 64]), 20), gradient_of(tf.ones([64, 64]), 30)]
