# unsafe
import tensorflow as tf


def counted():
    calls = [tf.Variable(0, dtype=tf.int64, trainable=False)]
    times = tf.Variable(0, dtype=tf.int64, trainable=False)

    @tf.function
    def twice(x):
        calls[0].assign_add(1)
        times.assign_add(1)
        return x * tf.cast(times, x.dtype) - tf.cast(calls[0], x.dtype)

    return twice


twice = counted()
values = [int(twice(tf.constant(3))) for _ in range(3)] + [int(counted()(tf.constant(3)))]
del twice
