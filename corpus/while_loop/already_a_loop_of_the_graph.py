"""AutoGraph makes loops of the graph of these: nothing is unrolled."""
import tensorflow as tf


@tf.function
def over_a_tensor(x, n):
    for i in tf.range(n):
        x = x + 1.0
    for row in tf.eye(3):
        x = x + row
    while tf.reduce_sum(x) < 100.0:
        x = x * 2.0
    return x


result = over_a_tensor(tf.ones([3]), tf.constant(40))
