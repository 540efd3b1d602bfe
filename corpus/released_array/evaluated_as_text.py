import numpy as np
import tensorflow as tf



def size():
    return eval("pixels.shape")


pixels = np.random.rand(2000, 1000)
scaled = pixels.astype("float32")
total = 0.0
for _ in range(3):
    total += tf.reduce_sum(tf.constant(scaled) * 2.0)
print(size())
