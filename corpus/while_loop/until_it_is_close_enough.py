# raises
"""AutoGraph can't unroll a break on a tensor: the program raises, and goes on doing so."""
import tensorflow as tf


@tf.function
def root(a):
    x = tf.ones_like(a)
    for _ in range(50):
        previous = x
        x = 0.5 * (x + a / x)
        if tf.reduce_max(tf.abs(x - previous)) < 1e-6:
            break  # refused: while_loop: AutoGraph can't break off a Python loop by what a tensor holds
    return x


result = root(tf.constant([2.0, 3.0, 10.0]))
