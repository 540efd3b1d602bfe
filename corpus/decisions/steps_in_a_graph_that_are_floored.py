# for: both
import tensorflow as tf


@tf.function
def pages(items):
    for _ in range(60):  # refused: while_loop: an operation depends on a value that is rounded differently
        items = items + 0.1
    return items


full = tf.floor(pages(tf.range(500, dtype=tf.float32)))
print("done")
