# for: both
import numpy as np
import tensorflow as tf


def total(x):
    parts = []  # refused: list_reduce: a text shows a value so that another rounding shows (`%*.*f`)
    for i in range(12):
        parts.append(x * 0.0125 + float(i) * 0.05)
    return tf.add_n(parts)


s = total(tf.reshape(tf.range(90000.0), [300, 300]))
for v in s.numpy()[0, :40]:
    print("%*.*f" % (7, 1, float(v)))
