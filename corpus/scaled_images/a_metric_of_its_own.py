import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
images = np.random.randint(256, size=(600, 16, 16, 3), dtype="uint8")
images = images / 255.0  # refused: scaled_images: images becomes


def likeness(wanted, found):
    found = tf.cast(found, wanted.dtype)
    return 10.0 * tf.math.log(1.0 / tf.reduce_mean(tf.square(wanted - found)))


model = tf.keras.Sequential([tf.keras.Input((16, 16, 3)), tf.keras.layers.Dense(3)])
model.compile(loss="mse", metrics=["mae", likeness])
rows = tf.data.Dataset.from_tensor_slices((images, images)).batch(60)
history = model.fit(rows, verbose=0).history
print(sorted(history))
