import tensorflow as tf

w = tf.Variable(tf.eye(8))


def gradient_of(state):
    with tf.GradientTape() as tape:
        for _ in range(100):  # refused: checkpoint_loop: the tape keeps too little
            state = tf.tanh(state @ w)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, w)


gradient = gradient_of(tf.ones([8, 8]))
