import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    state = tf.zeros([64, 64])
    states = [state]
    with tf.GradientTape() as tape:
        for t in range(64):  # refused: checkpoint_loop: no state passes from step to step
            state = tf.tanh(x[t] @ w + states[-1] @ u)
            states.append(state)
        loss = tf.reduce_sum(state)
        loss = loss + tf.reduce_sum(states[-1])
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
