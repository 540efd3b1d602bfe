import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)


class Change(tf.keras.callbacks.Callback):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows

    def on_epoch_end(self, epoch, logs=None):
        self.rows[0] = 5.0  # refused: array_input: may change the array behind .rows


model = tf.keras.Sequential([tf.keras.Input([4096]), tf.keras.layers.Dense(1, kernel_initializer="zeros")])
model.compile("sgd", "mse")
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
model.fit(x[:10], x[:10, :1], verbose=0, callbacks=[Change(x)])
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
