# for: both
import tensorflow as tf

STEP = 0.1


def ticks(times, turns):
    seen = tf.zeros_like(times)
    for _ in range(turns):
        times = times + 0.1
        seen = seen + times // STEP
    return seen


seen = ticks(tf.range(400, dtype=tf.float32) * 0.1, 60)
print("done")
