import numpy as np
import tensorflow as tf

x = np.ones((30000, 50))


def batches():
    return tf.data.Dataset.from_tensor_slices(x).batch(1000)  # refused: array_input: it may run while a graph is built
