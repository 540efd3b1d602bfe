# for: both
import tensorflow as tf


def smooth(rows: tf.Tensor, share: float):
    mean = rows[0]
    for t in range(1, rows.shape[0]):
        mean = share * rows[t] + (1.0 - share) * mean  # refused: compiled_loop: share may be any number
    return mean


series = {"one": tf.ones([60, 3]), "two": tf.ones([60, 2, 2], tf.float64)}
for name in series:
    print(name, smooth(series[name], 0.5).shape, smooth(series[name], 0.25).dtype)
