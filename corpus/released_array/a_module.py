import numpy as np
import tensorflow as tf

pixels = np.random.rand(2000, 1000)
scaled = pixels.astype("float32")


def total():
    found = 0.0
    for _ in range(3):
        found += tf.reduce_sum(tf.constant(scaled) * 2.0)
    return found


if __name__ == "__main__":
    for _ in range(2):
        print(total().dtype)
