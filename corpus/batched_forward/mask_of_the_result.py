import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(1)
words = np.arange(1000 * 40).reshape(1000, 40) % 7
embed = tf.keras.Sequential([layers.Input((40,)), layers.Embedding(7, 128, mask_zero=True)])
flat = layers.GlobalAveragePooling1D()
embedded = embed(words)  # refused: batched_forward: a setting of Embedding may let it read other rows
found = flat(embedded)  # refused: batched_forward: a mask may go with
