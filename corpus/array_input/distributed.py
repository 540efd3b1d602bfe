import numpy as np
import tensorflow as tf

strategy = tf.distribute.get_strategy()
x = np.ones((30000, 50))
data = tf.data.Dataset.from_tensor_slices(x).batch(1000)  # refused: array_input: this file uses tf.distribute
shared = strategy.experimental_distribute_dataset(data)
total = sum(float(tf.reduce_sum(batch)) for batch in shared)
print(total)
