import numpy as np
import tensorflow as tf


def batches(images, count):
    return tf.data.Dataset.from_tensor_slices(images).take(count).batch(100)


np.random.seed(0)
noise = np.random.rand(50000, 130)
means = [float(tf.reduce_mean(batch)) for batch in batches(noise, 5000)]
print(means[:3])
