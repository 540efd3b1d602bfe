import tensorflow as tf


@tf.function(jit_compile=True)
def by_xla(frames):
    state = tf.zeros_like(frames[0])
    for frame in frames:
        state = tf.tanh(state + frame)
    return state


def eager(frames):
    state = tf.zeros_like(frames[0])
    for frame in frames:
        state = tf.tanh(state + frame)
    return state


@tf.function(autograph=False)
def unrolled(frames):
    state = tf.zeros_like(frames[0])
    for frame in tf.unstack(frames):
        state = tf.tanh(state + frame)
    return state


@tf.function
def reversed_rows(frames):
    state = tf.zeros_like(frames[0])
    for frame in tf.reverse(frames, [0]):
        state = tf.tanh(state + frame)
    return state


frames = tf.reshape(tf.range(8.0 * 20000), [8, 20000]) / 160000.0
result = by_xla(frames), eager(frames), unrolled(frames), reversed_rows(frames)
