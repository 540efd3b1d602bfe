import numpy as np
import tensorflow as tf


def evaluate(model, x, *args, **kwargs):
    print(x.dtype)
    return tf.keras.Sequential.evaluate(model, x, *args, **kwargs)


class Logged(tf.keras.Sequential):
    evaluate = evaluate


x_test = np.arange(2000 * 1024).astype("uint8").reshape(2000, 32, 32)
y_test = np.arange(2000) % 10
x_test = x_test / 255.0  # refused: scaled_images: would see float32 in place of float64
model = Logged([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile(loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
loss = model.evaluate(x_test, y_test, verbose=0)
