import numpy as np
import tensorflow as tf

TABLE = np.zeros((2000, 10))  # refused: captured_array: a file that imports this one may change the array


@tf.function
def look_up(ids):
    return tf.gather(TABLE, ids)
