import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
images = np.random.randint(256, size=(600, 16, 16, 3), dtype="uint8")
images = images / 255.0  # refused: scaled_images: images becomes


class Model(tf.keras.Model):
    def predict_step(self, data):
        (rows,) = data
        return tf.reduce_mean(rows, axis=[1, 2])


model = Model()
model.compile()
means = model.predict_on_batch(images)
print(means.dtype)
