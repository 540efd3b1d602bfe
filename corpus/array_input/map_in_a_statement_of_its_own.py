import numpy as np
import tensorflow as tf

x = np.ones((2000, 20, 200))


def halved(row):
    half = row / 2.0
    return half


data = tf.data.Dataset.from_tensor_slices(x)
data = data.map(halved)
data = data.shuffle(10, seed=1).batch(50)
print(sum(float(tf.reduce_sum(batch)) for batch in data))
