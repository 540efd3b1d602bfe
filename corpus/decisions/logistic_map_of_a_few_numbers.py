# for: both
import tensorflow as tf


def populations(x):
    for _ in range(100):
        x = 3.9 * (x - x * x)
    return x


left = populations(tf.constant([0.1, 0.2, 0.3, 0.4]))
print("done")
