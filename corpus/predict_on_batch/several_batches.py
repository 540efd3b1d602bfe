import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
total = 0.0
for step in range(3):
    total += float(model.predict(np.ones([100, 4]), verbose=0).sum())  # refused: predict_on_batch: not known to be one batch
print(total)
