"""A network that looks at 400 test images at once, and says how sure it is of them."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers


class ConvNet(Model):
    def __init__(self):
        super().__init__()
        self.conv1 = layers.Conv2D(32, kernel_size=5, activation=tf.nn.relu)
        self.maxpool1 = layers.MaxPool2D(2, strides=2)
        self.conv2 = layers.Conv2D(64, kernel_size=3, activation=tf.nn.relu)
        self.maxpool2 = layers.MaxPool2D(2, strides=2)
        self.flatten = layers.Flatten()
        self.out = layers.Dense(10)

    def call(self, x, is_training=False):
        x = tf.reshape(x, [-1, 28, 28, 1])
        x = self.conv1(x)
        x = self.maxpool1(x)
        x = self.conv2(x)
        x = self.maxpool2(x)
        x = self.flatten(x)
        x = self.out(x)
        if not is_training:
            x = tf.nn.softmax(x)
        return x


tf.keras.utils.set_random_seed(1)
x_test = np.random.default_rng(0).random((400, 784), np.float32)
conv_net = ConvNet()


def sureness():
    pred = conv_net(x_test)
    return tf.reduce_mean(tf.reduce_max(pred, axis=1))


result = sureness()
