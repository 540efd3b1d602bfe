"""A function of the graph that computes one of two formulas, chosen by a Python bool."""
import tensorflow as tf


@tf.function
def conditional_computation(x, condition):
    if condition:
        return tf.square(x)
    else:
        return tf.sqrt(x) + 1


x = tf.fill([1000, 1000], 4.0)
squared = conditional_computation(x, True)
computed = conditional_computation(x, False)
