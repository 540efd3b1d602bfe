import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])


def replayed(states):
    return model.predict(np.array(states), verbose=0)  # refused: predict_on_batch: not known to be one batch


print([replayed([[0.0, 1.0, 2.0, 3.0]] * count).shape for count in (3, 40)])
