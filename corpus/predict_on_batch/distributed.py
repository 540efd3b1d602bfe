import numpy as np
import tensorflow as tf

strategy = tf.distribute.get_strategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2, kernel_initializer="ones")])
print([model.predict(np.ones([1, 4]), verbose=0).tolist() for _ in range(3)])  # refused: predict_on_batch: tf.distribute
