import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 20000], tf.float32)])
def states(frames):
    state = tf.zeros([20000])
    for frame in frames:  # refused: rows_by_index: a tape may record it
        state = tf.tanh(state + frame)
    return state


def check():
    return states(tf.reshape(tf.range(8.0 * 20000), [8, 20000]) / 160000.0)


result = check()
__all__ = ["states"]
