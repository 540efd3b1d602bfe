# unsafe
import keras
import numpy as np
import tensorflow as tf

keras.utils.clear_session()
keras.utils.set_random_seed(1)


class Net(tf.keras.Model):
    def __init__(self, depth):
        super().__init__()
        self.stem = tf.keras.layers.Conv2D(4, 3, padding="same")
        self.stages = []
        for _ in range(depth):
            stage = tf.keras.Sequential(
                [
                    tf.keras.layers.Conv2D(4, 3, padding="same", use_bias=False),
                    tf.keras.layers.BatchNormalization(),
                    tf.keras.layers.ReLU(),
                    tf.keras.layers.Dropout(0.2),
                ]
            )
            self.stages.append(stage)
        self.head = tf.keras.layers.Dense(3)

    def call(self, images, training=False):
        x = self.stem(images)
        for number, stage in enumerate(self.stages):
            if number:
                x = stage(x, training=training)
        return self.head(tf.reduce_mean(x, axis=[1, 2]))


model = Net(3)
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
images = np.random.default_rng(0).random((16, 8, 8, 3)).astype("float32")
labels = np.arange(16) % 3
history = model.fit(images, labels, batch_size=8, epochs=2, verbose=0)
print(history.history["loss"], model.evaluate(images, labels, verbose=0), [v.path for v in model.variables][:4])
moving = [float(tf.reduce_sum(v)) for v in model.non_trainable_variables]
print(moving)
