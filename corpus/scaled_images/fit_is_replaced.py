import numpy as np
import tensorflow as tf

plain = tf.keras.Model.fit


def fit(model, x, *args, **kwargs):
    print(x.dtype)
    return plain(model, x, *args, **kwargs)


tf.keras.Model.fit = fit
x_train = np.arange(2000 * 1024).astype("uint8").reshape(2000, 32, 32)
y_train = np.arange(2000) % 10
x_train = x_train / 255.0  # refused: scaled_images: would see float32 in place of float64
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile(optimizer="sgd", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
losses = model.fit(x_train, y_train, verbose=0).history["loss"]
tf.keras.Model.fit = plain
