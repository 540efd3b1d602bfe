# peak at most: 0.75
import numpy as np
import tensorflow as tf



def run(n):
    pixels = np.random.rand(n, 1000)
    scaled = pixels.astype("float32")
    total = 0.0
    for _ in range(3):
        total += tf.reduce_sum(tf.constant(scaled) * 2.0)
    return total


total = run(5000)
