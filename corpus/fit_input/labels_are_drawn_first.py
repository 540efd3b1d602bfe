import numpy as np
import tensorflow as tf

np.random.seed(3)
x = np.random.default_rng(0).random((9000, 784), dtype="float32")
y = np.arange(9000) % 10
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(y=np.random.randint(0, 10, 9000), x=np.random.rand(9000, 784), verbose=0)  # refused: fit_input: would be computed at another place
