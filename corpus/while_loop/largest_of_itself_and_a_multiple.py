# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def highest(rows):
    top = rows[0] * 1.1
    for i in range(60):
        top = tf.maximum(top, rows[i])  # refused: while_loop: oneDNN takes maximum(x, 2 * x) for a leaky relu
    return top


result = highest(tf.random.normal([60, 20]))
