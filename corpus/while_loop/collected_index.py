# raises in a graph
"""An index of tf.range is a tensor, and computes as one where nothing raises: i / 4 is of float64."""
import tensorflow as tf


@tf.function
def quarters(n):
    whole = []
    parts = []
    for i in tf.range(n):
        whole.append(i * 2 - 1)
        parts.append(i / 4)
    return tf.stack(whole), tf.stack(parts)


result = quarters(tf.constant(5)), quarters(2)
