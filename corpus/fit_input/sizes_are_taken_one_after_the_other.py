import numpy as np
import tensorflow as tf

sizes = iter([100, 200, 300])
x = np.random.default_rng(0).random((9000, 784), dtype="float32")
y = np.arange(9000) % 10
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(  # refused: fit_input: int(next(sizes)) would be computed at another place
    x, y, epochs=int(next(sizes)) // 100, batch_size=int(next(sizes)), validation_data=(x[:100], y[:100]), verbose=0
)
rest = list(sizes)
