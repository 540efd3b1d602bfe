# raises in a graph
"""How many turns a condition on tensors lets through is not known before the loop."""
import tensorflow as tf


@tf.function
def halvings(x, eps):
    out = []
    while tf.reduce_sum(x) > eps:
        out.append(x)
        x = x * 0.5
    return tf.stack(out)


result = [halvings(tf.constant([1.0, 2.0]), eps) for eps in (0.1, 2.9)]
