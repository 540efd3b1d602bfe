import multiprocessing  # noqa: F401

import numpy as np
import tensorflow as tf

TABLE = np.zeros((2000, 10))  # refused: captured_array: this file uses multiprocessing


@tf.function
def look_up(ids):
    return tf.gather(TABLE, ids)


result = look_up(tf.constant([1]))
