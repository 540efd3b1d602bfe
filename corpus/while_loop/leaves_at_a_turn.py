# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def decay(x, last: int):
    for i in range(100):
        x = x * 0.99
        if i == last:
            break
        x = x + 0.001
    return x


result = decay(tf.ones([2]), 70)
