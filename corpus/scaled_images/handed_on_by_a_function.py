import numpy as np
import tensorflow as tf

x = np.array(np.full((2000, 784), 51, np.uint8), np.float32)


def original():
    return x


before = original()
x = x / 255.0  # refused: scaled_images: something else may hold the array of x
print(float(tf.reduce_sum(x)), before[0, 0])
