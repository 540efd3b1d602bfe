"""ResNet18 on images of 32x32, with an eager training step."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


class BasicBlock(layers.Layer):
    def __init__(self, filter_num, stride=1):
        super().__init__()
        self.conv1 = layers.Conv2D(filter_num, (3, 3), strides=stride, padding="same")
        self.bn1 = layers.BatchNormalization()
        self.relu = layers.Activation("relu")
        self.conv2 = layers.Conv2D(filter_num, (3, 3), strides=1, padding="same")
        self.bn2 = layers.BatchNormalization()
        self.downsample = layers.Conv2D(filter_num, (1, 1), strides=stride) if stride != 1 else None

    def call(self, inputs, training=None):
        out = self.relu(self.bn1(self.conv1(inputs), training=training))
        out = self.bn2(self.conv2(out), training=training)
        identity = inputs if self.downsample is None else self.downsample(inputs)
        return tf.nn.relu(out + identity)


class ResNet(keras.Model):
    def __init__(self, num_classes=100):
        super().__init__()
        self.stem = keras.Sequential([layers.Conv2D(64, (3, 3)), layers.BatchNormalization(), layers.Activation("relu")])
        self.blocks = [
            BasicBlock(64),
            BasicBlock(64),
            BasicBlock(128, stride=2),
            BasicBlock(128),
            BasicBlock(256, stride=2),
            BasicBlock(256),
            BasicBlock(512, stride=2),
            BasicBlock(512),
        ]
        self.avgpool = layers.GlobalAveragePooling2D()
        self.fc = layers.Dense(num_classes)

    def call(self, inputs, training=None):
        x = self.stem(inputs, training=training)
        for block in self.blocks:
            x = block(x, training=training)
        return self.fc(self.avgpool(x))


rng = np.random.default_rng(0)
images = tf.constant(rng.random((16, 32, 32, 3), dtype=np.float32))
labels = tf.constant(rng.integers(0, 100, (16,)), tf.int32)

model = ResNet()
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = loss_fn(y, logits)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for _ in range(2):
    loss = train_step(images, labels)
loss = train_step(images, labels)
