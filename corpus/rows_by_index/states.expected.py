# peak at most: 0.7
import tensorflow as tf


@tf.function
def states(frames):
    state = tf.zeros_like(frames[0])
    for i in tf.range(tf.shape(frames)[0]):  # from the first to the last
        frame = frames[i]
        # a new state
        state = tf.tanh(state + frame)
    return state


frames = tf.fill([40, 20000], 0.25)
result = states(frames)
