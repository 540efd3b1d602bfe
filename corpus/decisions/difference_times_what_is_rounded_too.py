# for: both
import tensorflow as tf


def run(x, b):
    for _ in range(200):  # refused: compiled_loop: `(x - 3.2) * large` may magnify a rounding error
        x = (x * 0.9 + b) - 0.05
    return x


x = run(tf.zeros([2000]), tf.fill([2000], 0.37))
large = run(tf.zeros([2000]), tf.linspace(1.0, 900.0, 2000) ** 2 * 0.1)
print(((x - 3.2) * large)[1990:])
