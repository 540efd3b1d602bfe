import tensorflow as tf


@tf.function
def of_one_size(frames):
    state = tf.zeros([20000])
    for frame in frames:  # refused: rows_by_index: its options have to be the first statement of its body
        tf.autograph.experimental.set_loop_options(shape_invariants=[(state, tf.TensorShape([None]))])
        state = tf.tanh(state + frame)
    return state


@tf.function
def continued(frames):
    state = tf.zeros([20000])
    for frame in frames: \
        state = tf.tanh(state + frame)
    return state


frames = tf.reshape(tf.range(8.0 * 20000), [8, 20000]) / 160000.0
result = of_one_size(frames), continued(frames)
