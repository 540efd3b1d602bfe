import functools

import tensorflow as tf


@functools.lru_cache
def scaled(rows):
    x = tf.ones([rows, 1000])
    y = tf.square(x)
    z = y * 2.0
    return z + 1.0


results = [scaled(1000) for _ in range(2)]
