from threading import Thread

import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)


def change():
    x[0] = 5.0  # refused: array_input: may change the array behind x


thread = Thread(target=change)
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
thread.start()
thread.join()
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
