# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def search(x, step, done: int):
    for _ in range(90):
        x = x - step * (x - 1.0)
        if done > 3:
            break
    i = tf.reduce_max(x)
    return x, i


result = search(tf.constant([1.0, 9.0]), tf.constant(0.25), 2)
