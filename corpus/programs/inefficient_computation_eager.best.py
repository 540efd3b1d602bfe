"""The same, of which XLA computes everything at once."""
import tensorflow as tf


@tf.function(jit_compile=True)
def inefficient_computation(x):
    return tf.square(x) * 2 + 1


x = tf.fill([1000, 1000], 0.5)
inefficient_computation(x)
result = inefficient_computation(x)
