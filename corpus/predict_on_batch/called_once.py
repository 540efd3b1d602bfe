import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
print(model.predict(np.ones([1, 4]), verbose=0).shape)
