import numpy as np
import tensorflow as tf


def trace_of(x, half):
    found = []
    for i in range(40):
        for j in range(30):
            share = (i + j * 0.01) / 40
            found.append(float(tf.reduce_sum(x - np.array(share, np.float32))))
            found.append(float(tf.reduce_sum(np.array(share, np.float32) / x)))
            found.append(float(tf.reduce_sum(tf.maximum(x, np.array(share, np.float32)))))
            found.append(float(tf.reduce_sum(half ** np.array(share + 1, np.float16))))
            found.append(float(tf.constant(np.array(share, np.float64))))
            found.append(float(tf.constant(value=np.array(share, np.float32))))
            found.append(float(tf.reduce_sum(tf.cast(np.array(share, np.float32) >= x, tf.float32))))
            found.append(float(x[0] // np.array(share + 1, np.float32)))
    return np.sum(found)


total = trace_of(tf.constant([0.25, 3.0]), tf.constant([0.5, 0.75], tf.float16))
print(total)
