# for: both
import tensorflow as tf


def draws(seed, turns):
    numbers = []
    for _ in range(turns):
        seed = (seed * 16.807 + 0.1) % 1.0
        numbers.append(seed)
    return tf.stack(numbers)


numbers = draws(tf.range(1, 33, dtype=tf.float32) / 33.0, 60)
heads = int(tf.math.count_nonzero(numbers > 0.5))
print("done")
