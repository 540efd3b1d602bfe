import tensorflow as tf


@tf.function
def states(frames):
    state = tf.zeros_like(frames[0])
    for frame in frames:  # refused: rows_by_index: a tape may record it
        state = tf.tanh(state + frame)
    return state


frames = tf.reshape(tf.range(8.0 * 20000), [8, 20000]) / 160000.0
with tf.GradientTape() as tape:
    tape.watch(frames)
    total = tf.reduce_sum(states(frames))
result = tape.gradient(total, frames)
