# for: both
import tensorflow as tf


@tf.function
def _root_loop(x, y):
    def step(i, y):
        y = 0.5 * (y + x / y)
        return i + 1, y

    _, y = tf.while_loop(
        lambda i, y: i < 60,
        step,
        (0, y),
        shape_invariants=(tf.TensorShape([]), y.shape),
        maximum_iterations=60,
        parallel_iterations=1,
    )
    return y


def root(x: tf.Tensor):
    y = x
    y = _root_loop(x, y)
    return y


numbers = {"one": tf.constant([1.0, 4.0]), "two": tf.constant(9.0, tf.float64), "none": tf.ones([0, 3])}
for name in numbers:
    print(name, root(numbers[name]).dtype, root(numbers[name]).shape)
