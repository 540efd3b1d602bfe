import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)


def changes():
    yield 1
    x[0] = 5.0  # refused: array_input: may change the array behind x
    yield 2


turns = changes()
next(turns)
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
next(turns)
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
