# for: both
import tensorflow as tf


def volumes(edges, turns):
    whole = tf.zeros_like(edges)
    for _ in range(turns):  # refused: compiled_loop: `tf.floor(edges**3 / 27.0)` depends on a value that is rounded differently
        whole = whole + tf.floor(edges**3 / 27.0)
        edges = edges + 3.0
    return whole


whole = volumes(tf.range(200, dtype=tf.float32), 40)
odd = int(tf.reduce_sum(whole % 2.0))
print("done")
