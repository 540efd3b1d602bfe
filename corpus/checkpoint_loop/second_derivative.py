import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def curvature_of(x):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:  # refused: checkpoint_loop: a first derivative only
            state = tf.zeros([64, 64])
            for t in range(64):
                state = tf.tanh(x[t] @ w + state @ u)
            loss = tf.reduce_sum(state)
        gradient = tape.gradient(loss, w)
        length = tf.reduce_sum(tf.square(gradient))
    return outer.gradient(length, w)


curvature = curvature_of(x)
