# for: both
# fidelity: tolerance
import tensorflow as tf


def table(x):
    rows = []
    for i in range(60):
        row = []
        for j in range(3):
            x = x * 0.5 + 1.0
            row.append(x)
        rows.append(tf.stack(row))
    return tf.stack(rows)


result = table(tf.ones([2]))
