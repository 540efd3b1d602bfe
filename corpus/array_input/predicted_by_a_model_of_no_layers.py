import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 4096), np.float32)
model = tf.keras.Sequential([tf.keras.Input([4096]), tf.keras.layers.Activation("linear")])
data = tf.data.Dataset.from_tensor_slices(x).batch(700)
same = model.predict(x, batch_size=3000, verbose=0)
same[0] = 5.0  # refused: array_input: may change the array behind same
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
