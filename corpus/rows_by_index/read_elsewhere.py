import tensorflow as tf


@tf.function
def last(frames):
    frame = tf.zeros([20000])
    for frame in frames:  # refused: rows_by_index: frame is also used outside of the loop
        tf.debugging.assert_all_finite(frame, "not finite")
    return frame


@tf.function
def shrinking(frames):
    state = tf.zeros([20000])
    for frame in frames:  # refused: rows_by_index: frames is assigned another value in the loop
        frames = frames * 0.5
        state = state + frame + frames[0]
    return state


@tf.function
def of_a_function(frames):
    state = tf.zeros([20000])
    for frame in frames:  # refused: rows_by_index: frame is known to another function too
        state = state + tf.cond(frame[0] > 0.5, lambda: frame, lambda: frame * 2.0)
    return state


frames = tf.reshape(tf.range(8.0 * 20000), [8, 20000]) / 160000.0
result = last(frames), shrinking(frames), of_a_function(frames)
