"""A function of the graph that computes one of two formulas, chosen by a Python bool."""
import tensorflow as tf


@tf.function
def conditional_computation(x, condition):
    if condition:
        return x * 2
    else:
        return tf.square(x) + tf.sqrt(x)


x = tf.fill([1000, 1000], 4.0)
doubled = conditional_computation(x, True)
computed = conditional_computation(x, False)
