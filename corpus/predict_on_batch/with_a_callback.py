import numpy as np
import tensorflow as tf


class Count(tf.keras.callbacks.Callback):
    seen = 0

    def on_predict_batch_end(self, batch, logs=None):
        Count.seen += 1


tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
for step in range(3):
    model.predict(np.ones([1, 4]), verbose=0, callbacks=[Count()])  # refused: predict_on_batch: nothing but the input
print(Count.seen)
