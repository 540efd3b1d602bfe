"""A large random tensor, made by a function that is called twice."""
import tensorflow as tf


@tf.function
def large_tensor_creation(shape):
    return tf.random.normal(shape)


first = large_tensor_creation([2000, 1000])
del first
second = large_tensor_creation([2000, 1000])
