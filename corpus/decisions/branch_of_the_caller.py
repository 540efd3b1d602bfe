# for: both
import tensorflow as tf


def error(x, turns):
    for _ in range(turns):  # refused: compiled_loop: `error(tf.fill([50], 13.7), turns) < 1e-7` depends on a value that is rounded differently
        x = x * 3.0 / 7.0 + x * 4.0 / 7.0
    return tf.reduce_max(tf.abs(x - 13.7))


word = "exact" if error(tf.fill([2000], 13.7), 60) == 0.0 else "not exact"
more = ["exact" if error(tf.fill([50], 13.7), turns) < 1e-7 else "not exact" for turns in (50, 61)]
print(word, more)
