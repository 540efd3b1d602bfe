import tensorflow as tf

x = tf.ones([256, 160, 160]) * 0.1
w = tf.Variable(tf.eye(160) * 0.5)
u = tf.Variable(tf.eye(160) * 0.5)


def last_state(x, state, weights, recurrent):
    # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
    def segment(start, state, weights, recurrent):
        first = tf.cast(start, tf.int32)  # a float, as all that a gradient may be taken by
        for t in tf.range(first, tf.minimum(first + 16, 256)):
            state = tf.tanh(x[t] @ weights + state @ recurrent)
        return state

    for start in tf.range(0, 256, 16):
        state = tf.recompute_grad(segment)(
            tf.cast(start, tf.float32),
            state,
            weights,
            tf.convert_to_tensor(recurrent),
        )
    return state


@tf.function
def gradients_of(x):
    with tf.GradientTape() as tape:
        state = last_state(x, tf.zeros([160, 160]), 2.0 * w, u)
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, [w, u])


gradients = gradients_of(x)
print(len(gradients))
