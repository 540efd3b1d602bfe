# peak at most: 0.7
import tensorflow as tf


@tf.function
def states(frames):
    state = tf.zeros_like(frames[0])
    for frame in frames:  # from the first to the last
        # a new state
        state = tf.tanh(state + frame)
    return state


frames = tf.fill([40, 20000], 0.25)
result = states(frames)
