"""The sum of what each turn multiplies by is known at once."""
import tensorflow as tf


@tf.function
def process_data(x, n):
    return x * (n * (n - 1) / 2)


x = tf.fill([200, 200], 0.5)
result = process_data(x, 100)
