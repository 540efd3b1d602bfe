# for: both
import tensorflow as tf


def halves(x: tf.Tensor):
    y = x
    for _ in range(60):
        y = y / 2  # the first division of integers gives float64
    return y


def sizes(x: tf.Tensor):
    y = x
    for _ in range(60):
        y = tf.abs(y)  # that of complex numbers is real
    return y


numbers = {"float": tf.constant([1.0, 4.0]), "int": tf.constant([1, 4]), "complex": tf.constant([1 + 2j])}
for name in numbers:
    print(name, halves(numbers[name]).dtype, sizes(numbers[name]).dtype)
