import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(1)
net = tf.keras.Sequential([layers.Input((28, 28, 1)), layers.Conv2D(16, 3), layers.BatchNormalization(), layers.GlobalMaxPooling2D()])
images = tf.ones([1000, 28, 28, 1])
found = net(images, training=True)  # refused: batched_forward: is not known to be False
