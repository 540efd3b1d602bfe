# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def even_sum(x):
    total = tf.zeros([4])
    for i in range(90):
        if i % 2 == 1:
            continue
        total = total + x * i
    return total


result = even_sum(tf.range(4.0))
