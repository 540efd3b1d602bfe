"""A formula in steps, each with a name of its own, inside of a graph."""
import tensorflow as tf


@tf.function
def inefficient_computation(x):
    intermediate1 = tf.square(x)
    intermediate2 = intermediate1 * 2
    result = intermediate2 + 1
    return result


x = tf.fill([1000, 1000], 0.5)
inefficient_computation(x)
result = inefficient_computation(x)
