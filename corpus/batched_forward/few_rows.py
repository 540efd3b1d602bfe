import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(1)
net = tf.keras.Sequential([layers.Input((8, 8, 1)), layers.Conv2D(16, 3), layers.GlobalMaxPooling2D()])
images = tf.ones([200, 8, 8, 1])
found = net(images)  # refused: batched_forward: for all rows at once it holds
