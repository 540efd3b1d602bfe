import tensorflow as tf

w = tf.Variable(tf.eye(128) * 0.5)
x = tf.ones([128, 128])


@tf.function
def gradient_of(x):
    with tf.GradientTape() as tape:
        state = x

        # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
        def segment(start, state, w):
            first = tf.cast(start, tf.int32)  # a float, as all that a gradient may be taken by
            for _ in tf.range(first, tf.minimum(first + 9, 67)):
                state = tf.tanh(state @ w)
            return state

        for start in tf.range(0, 67, 9):
            state = tf.recompute_grad(segment)(
                tf.cast(start, tf.float32),
                state,
                tf.convert_to_tensor(w),
            )
        loss = tf.reduce_sum(state)
    return tape.gradient(loss, w)


gradient = gradient_of(x)
print(gradient.shape)
