# for: both
import tensorflow as tf


def pages(items, turns):
    full = tf.zeros_like(items)
    for _ in range(turns):  # refused: compiled_loop: `tf.floor(items / 41.0 / 3.0)` depends on a value that is rounded differently
        full = full + tf.floor(items / 41.0 / 3.0)
        items = items + 123.0
    return full


full = pages(tf.range(1000, dtype=tf.float32) * 123.0, 30)
first = int(tf.argmax(full % 11.0))
print("done")
