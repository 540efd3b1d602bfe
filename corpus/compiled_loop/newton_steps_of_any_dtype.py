# for: both
import tensorflow as tf


def root(x: tf.Tensor):
    y = x
    for _ in range(60):
        y = 0.5 * (y + x / y)
    return y


numbers = {"one": tf.constant([1.0, 4.0]), "two": tf.constant(9.0, tf.float64), "none": tf.ones([0, 3])}
for name in numbers:
    print(name, root(numbers[name]).dtype, root(numbers[name]).shape)
