import contextlib
import io

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
total = 0.0
with contextlib.redirect_stdout(io.StringIO()):  # it says how long each step took
    for step in range(3):
        total += float(model.predict(np.full([1, 4], step)).sum())  # refused: predict_on_batch: prints its progress
