import random

import numpy as np
import tensorflow as tf

random.seed(0)
x = np.ones((30000, 50))
data = tf.data.Dataset.from_tensor_slices(x).batch(1000)
random.shuffle(x)  # refused: array_input: may change the array behind x
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
