import numpy as np
import tensorflow as tf


class Axes:
    def imshow(self, image):
        self.dtype = image.dtype


images = np.random.randint(256, size=(4000, 32, 32), dtype="uint8")
labels = np.arange(4000) % 10
images = images / 255.0  # refused: scaled_images: axes.imshow(images[0]) would see float32 in place of float64
axes = Axes()  # no matplotlib
axes.imshow(images[0])
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile(optimizer="sgd", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
history = model.fit(images, labels, verbose=0, shuffle=False)
print(history.history)
