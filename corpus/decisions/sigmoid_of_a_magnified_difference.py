# for: both
import numpy as np
import tensorflow as tf


def total(x):
    parts = []  # refused: list_reduce: `(s - 5.85) * steep` may magnify a rounding error
    for i in range(12):
        parts.append(x * 0.0125 + float(i) * 0.05)
    return tf.add_n(parts)


s = total(tf.reshape(tf.range(90000.0), [300, 300]))
steep = tf.constant(1e6)
print(tf.sigmoid((s - 5.85) * steep).numpy()[0, :40])
