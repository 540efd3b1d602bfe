import numpy as np
import tensorflow as tf

x = np.ones((40000, 20, 10))


def halved(row):
    half = row / 2.0
    return half


data = tf.data.Dataset.from_tensor_slices(x)
data = data.map(halved)
data = data.shuffle(10, seed=1).batch(1000)
print(sum(float(tf.reduce_sum(batch)) for batch in data))
