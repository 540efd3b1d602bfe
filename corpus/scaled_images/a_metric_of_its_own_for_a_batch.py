import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
images = np.random.randint(256, size=(600, 16, 16, 3), dtype="uint8")
images = images / 255.0  # refused: scaled_images: images becomes
dtypes = []


class Seen(tf.keras.metrics.Mean):
    def update_state(self, wanted, found, sample_weight=None):
        dtypes.append(wanted.dtype.name)
        return super().update_state(wanted)


def build():
    model = tf.keras.Sequential([tf.keras.Input((16, 16, 3)), tf.keras.layers.Dense(3)])
    metric = Seen()
    model.compile("sgd", "mse", metrics=[metric])
    return model


model = build()
for i in range(0, 600, 100):
    model.test_on_batch(images[i : i + 100], images[i : i + 100])
print(dtypes[0])
