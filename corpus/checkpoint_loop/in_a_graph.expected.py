import tensorflow as tf

x = tf.ones([256, 160, 160]) * 0.1
w = tf.Variable(tf.eye(160) * 0.5)
u = tf.Variable(tf.eye(160) * 0.5)


@tf.function
def step(x):
    state = tf.zeros([160, 160])
    loss = 0.0
    with tf.GradientTape() as tape:
        # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
        def segment(start, state, loss, w, u):
            first = tf.cast(start, tf.int32)  # a float, as all that a gradient may be taken by
            for t in tf.range(first, tf.minimum(first + 16, 256)):
                state = tf.tanh(x[t] @ w + state @ u)
                loss += tf.reduce_mean(tf.square(state - 1.0))
            return state, loss

        loss = tf.convert_to_tensor(loss, tf.float32)
        for start in tf.range(0, 256, 16):
            state, loss = tf.recompute_grad(segment)(
                tf.cast(start, tf.float32),
                state,
                loss,
                tf.convert_to_tensor(w),
                tf.convert_to_tensor(u),
            )
    gradients = tape.gradient(loss, [w, u])
    w.assign_sub(0.1 * gradients[0])
    u.assign_sub(0.1 * gradients[1])
    return loss


loss = step(x)
