import numpy as np
import tensorflow as tf

words = np.array(["one", "two", "three"] * 100000)
data = tf.data.Dataset.from_tensor_slices(words).batch(1000)  # refused: array_input: words is not known to be an array of numbers
print(len(data))
