import tensorflow as tf
from tensorflow.keras import layers


def scaled(x):
    return x / tf.reduce_max(x)


tf.keras.utils.set_random_seed(1)
net = tf.keras.Sequential([layers.Input((28, 28, 1)), layers.Conv2D(16, 3, activation=scaled), layers.GlobalMaxPooling2D()])
images = tf.random.uniform([1000, 28, 28, 1])
found = net(images)  # refused: batched_forward: a setting of Conv2D may let it read other rows
