import tensorflow as tf

scale = tf.constant(0.5)
frames = tf.reshape(tf.range(8.0 * 20000), [8, 200, 100]) / 160000.0


@tf.function
def blended(frames, i):
    state = tf.zeros_like(frames[0])
    for frame in (frames):
        frame = frame * scale
        if tf.reduce_max(frame) > 0.25:
            state = state - frame
            continue
        state = state + frame * i
    j = 2.0
    for row in frames:
        for k in tf.range(2):
            state = tf.maximum(state, row) + tf.cast(k, tf.float32) * j
    return state


@tf.function
def of_the_module():
    total = tf.zeros([200, 100])
    for frame in frames:
        total = total + frame
        if tf.reduce_max(total) > 1.5:
            break
    return total


result = blended(frames, 0.25), of_the_module()
