import numpy as np
import tensorflow as tf


def batches(images, count):
    return tf.data.Dataset.from_tensor_slices(images).take(count).batch(10)


np.random.seed(0)
noise = np.random.rand(2600, 1300)
means = [float(tf.reduce_mean(batch)) for batch in batches(noise, 500)]
print(means[:3])
