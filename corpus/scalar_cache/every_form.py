import numpy as np
import tensorflow as tf


def trace_of(x, half):
    found = []
    for i in range(40):
        for j in range(30):
            share = (i + j * 0.01) / 40
            found.append(float(tf.reduce_sum(x - share)))
            found.append(float(tf.reduce_sum(share / x)))
            found.append(float(tf.reduce_sum(tf.maximum(x, share))))
            found.append(float(tf.reduce_sum(half ** (share + 1))))
            found.append(float(tf.constant(share, tf.float64)))
            found.append(float(tf.constant(dtype=tf.float32, value=share)))
            found.append(float(tf.reduce_sum(tf.cast(share >= x, tf.float32))))
            found.append(float(x[0] // (share + 1)))
    return np.sum(found)


total = trace_of(tf.constant([0.25, 3.0]), tf.constant([0.5, 0.75], tf.float16))
print(total)
