# unsafe
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
CLASSES = 100


def train():
    x = np.random.rand(4000, 16).astype("float32")
    y = np.random.randint(CLASSES, size=[4000, 1]).astype("uint8")
    inputs = tf.keras.Input([16])
    outputs = tf.keras.layers.Dense(CLASSES)(inputs)
    model = tf.keras.Model(inputs, outputs)
    model.compile(loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), optimizer="adam", metrics=[tf.keras.metrics.SparseTopKCategoricalAccuracy(5, name="top")])
    return model.fit(x, y, verbose=0, epochs=2, validation_split=0.1).history, model.evaluate(x, y, verbose=0)


found = train()
