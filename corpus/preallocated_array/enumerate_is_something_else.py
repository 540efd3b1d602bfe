import numpy as np
import tensorflow as tf


def enumerate(rows):
    return zip(range(1, 100), rows)


x = tf.ones([500, 500])
frames = []  # refused: preallocated_array: enumerate is given another meaning here
for scale in [1.0, 2.0, 3.0, 4.0]:
    frames.append((x * scale).numpy())
frames = np.stack(frames)
print(frames.shape, [number for number, scale in enumerate("ab")])
