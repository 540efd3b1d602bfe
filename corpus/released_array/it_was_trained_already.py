import numpy as np
import tensorflow as tf

images = np.random.rand(2000, 100).astype("float32")
labels = np.random.rand(2000)
few = np.random.rand(20, 100).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
history = model.fit(images, labels, verbose=0).history
found = model.predict(few, verbose=0)
