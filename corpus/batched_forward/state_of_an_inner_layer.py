import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(1)
both = layers.Bidirectional(layers.LSTM(8, stateful=True))
steps = tf.ones([1000, 20, 100])
found = both(steps)  # refused: batched_forward: a setting of Bidirectional may let it read other rows
