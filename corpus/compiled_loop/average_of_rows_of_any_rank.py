# for: both
import tensorflow as tf


def smooth(rows: tf.Tensor):
    mean = rows[0]
    for t in range(1, rows.shape[0]):
        mean = 0.25 * rows[t] + 0.75 * mean
    return mean


series = {"one": tf.ones([60, 3]), "two": tf.ones([1, 2, 2]), "many": tf.ones([60]), "none": tf.ones([60, 0])}
for name in series:
    print(name, smooth(series[name]).shape)
