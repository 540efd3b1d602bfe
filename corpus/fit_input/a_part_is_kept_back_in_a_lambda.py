import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x = np.random.default_rng(0).random((9000, 784), dtype="float32")
y = np.arange(9000) % 10
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
train = lambda: model.fit(x, y, validation_split=0.1, verbose=0).history  # refused: fit_input: what is written above the statement
losses = train()
while model.fit(x, y, validation_split=0.1, verbose=0).history["loss"][0] > 9.0:  # refused: fit_input: what is written above the statement
    pass
