import sys

import numpy as np
import tensorflow as tf

images = np.random.default_rng(0).random((2000, 2500))
total = float(images.sum())
small = images.astype("float32")
tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
history = model.fit(small, np.zeros(2000), verbose=0).history
if "--console" in sys.argv:
    import IPython

    IPython.embed()
print(len(history))
