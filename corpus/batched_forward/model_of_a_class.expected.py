import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers


class ConvNet(Model):
    """Digits."""

    def __init__(self):
        super().__init__()
        self.conv = layers.Conv2D(16, kernel_size=5, activation=tf.nn.relu)
        self.norm = layers.BatchNormalization()
        self.pool = layers.MaxPool2D(6, strides=6)
        self.flatten = layers.Flatten()
        self.dropout = layers.Dropout(rate=0.5)
        self.out = layers.Dense(10)

    def call(self, x, is_training=False):
        x = tf.reshape(x, [-1, 28, 28, 1])
        x = self.conv(x)
        x = self.norm(x, training=is_training)
        x = self.pool(x)
        x = self.flatten(x)
        x = self.dropout(x, training=is_training)
        x = self.out(x)
        if not is_training:
            x = tf.nn.softmax(x)
        return x


tf.keras.utils.set_random_seed(1)
x_test = np.random.rand(1000, 784).astype("float32")
conv_net = ConvNet()

# It is not trained yet.
pred = tf.concat(
    [conv_net(x_test[i : i + 256]) for i in range(0, len(x_test), 256)],
    axis=0,
)  # each digit's probability
print(pred.shape)
