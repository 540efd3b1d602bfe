import tensorflow as tf

x = tf.ones([64, 64, 64]) * 0.1
w = tf.Variable(tf.eye(64) * 0.5)
u = tf.Variable(tf.eye(64) * 0.5)


def gradients_of(x):
    state = tf.zeros([64, 64])
    loss = 0.0
    with tf.GradientTape() as tape:
        # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
        def segment(start, stop):
            def steps(state, loss):
                for t in range(start, stop):
                    state = tf.tanh(x[t] @ w + state @ u)
                    loss += tf.reduce_mean(state)
                return state, loss

            return steps if stop == 64 else tf.recompute_grad(steps)

        for start in range(0, 64, 8):
            state, loss = segment(start, min(start + 8, 64))(state, tf.convert_to_tensor(loss, tf.float32))
        loss += 0.1 * tf.reduce_sum(w)
        for weight in [w, u]:
            loss += tf.reduce_mean(tf.square(weight))
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
print(len(gradients))
