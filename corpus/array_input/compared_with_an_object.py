import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)


class Set:
    def __contains__(self, rows):
        rows[0] = 5.0
        return True


known = Set()
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
print(x in known)  # refused: array_input: may change the array behind x
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
