import numpy as np
import tensorflow as tf

tf.random.set_seed(1)
x = np.ones([2000, 1000])
data = tf.data.Dataset.from_tensor_slices((x, np.arange(2000))).map(lambda row, i: i).shuffle(1000)  # refused: shuffle_first: elements take
order = [int(i) for i in data]
