# for: both
import tensorflow as tf


@tf.function
def _smooth_loop(rows, mean):
    def step(t, mean):
        mean = 0.25 * rows[t] + 0.75 * mean
        return t + 1, mean

    _, mean = tf.while_loop(
        lambda t, mean: t < rows.shape[0],
        step,
        (1, mean),
        shape_invariants=(tf.TensorShape([]), mean.shape),
        maximum_iterations=rows.shape[0] - 1,
        parallel_iterations=1,
    )
    return mean


def smooth(rows: tf.Tensor):
    mean = rows[0]
    if 1 < rows.shape[0]:
        mean = _smooth_loop(rows, mean)
    return mean


series = {"one": tf.ones([60, 3]), "two": tf.ones([1, 2, 2]), "many": tf.ones([60]), "none": tf.ones([60, 0])}
for name in series:
    print(name, smooth(series[name]).shape)
