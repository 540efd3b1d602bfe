# The model reads float64: its layers are told so by a word that the file doesn't have.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x_train = np.random.default_rng(0).integers(0, 256, (3000, 28, 28), dtype="uint8")
y_train = np.random.default_rng(0).integers(0, 10, 3000)
x_train = x_train / 255.0  # refused: scaled_images: would see float32
wide = np.dtype(float).name
layers = [tf.keras.layers.Flatten(dtype=wide), tf.keras.layers.Dense(10, dtype=wide)]
model = tf.keras.Sequential(layers)
model.compile(optimizer="sgd", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
history = model.fit(x_train, y_train, verbose=0).history
total = int(np.floor(float(tf.reduce_sum(model(x_train))) * 1e6))
