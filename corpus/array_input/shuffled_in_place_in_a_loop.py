import numpy as np
import tensorflow as tf

np.random.seed(0)
x = np.ones((60000, 10))
totals = []
for epoch in range(2):
    np.random.shuffle(x)  # refused: array_input: may change the array behind x
    data = tf.data.Dataset.from_tensor_slices(x).batch(1000)
    totals.append([float(tf.reduce_sum(batch)) for batch in data.take(2)])
print(totals)
