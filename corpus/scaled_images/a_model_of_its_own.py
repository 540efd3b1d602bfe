# peak at most: 0.8
import numpy as np
import tensorflow as tf


class Classifier(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.flatten = tf.keras.layers.Flatten()
        self.dense = tf.keras.layers.Dense(10)

    def call(self, x):
        return self.dense(self.flatten(x))

    def test_step(self, data):
        x, y = data
        return {"mean": tf.reduce_mean(x), "loss": self.compute_loss(x, y, self(x, training=False))}


def train():
    x_train = np.random.randint(256, size=(2000, 32, 32), dtype="uint8")
    y_train = np.random.randint(10, size=[2000])
    x_train = x_train / 255.0
    model = Classifier()
    model.compile(optimizer="sgd", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    history = model.fit(x_train, y_train, verbose=0, shuffle=False)
    return history.history, model.evaluate(x_train, y_train, verbose=0), model(x_train[:3])


found = train()
