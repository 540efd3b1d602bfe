# unsafe
import tensorflow as tf


def counted():
    calls = [0]
    times = 0

    @tf.function
    def twice(x):
        nonlocal times
        calls[0] += 1
        times += 1
        return x * times - calls[0]

    return twice


twice = counted()
values = [int(twice(tf.constant(3))) for _ in range(3)] + [int(counted()(tf.constant(3)))]
del twice
