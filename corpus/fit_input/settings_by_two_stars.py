import numpy as np
import tensorflow as tf

settings = {"verbose": 0, "shuffle": "batch"}
x = np.random.default_rng(0).random((9000, 784), dtype="float32")
y = np.arange(9000) % 10
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, **settings)  # refused: fit_input: what it is given by ** is not known
