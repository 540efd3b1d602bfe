"""VGG16 on images of 32x32, with an eager training step."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


def conv(filters):
    return layers.Conv2D(filters, (3, 3), padding="same", activation="relu")


model = keras.Sequential(
    [
        keras.Input((32, 32, 3)),
        *[conv(64), conv(64), layers.MaxPooling2D()],
        *[conv(128), conv(128), layers.MaxPooling2D()],
        *[conv(256), conv(256), conv(256), layers.MaxPooling2D()],
        *[conv(512), conv(512), conv(512), layers.MaxPooling2D()],
        *[conv(512), conv(512), conv(512), layers.MaxPooling2D()],
        layers.Flatten(),
        layers.Dense(512, activation="relu"),
        layers.Dense(10),
    ]
)
rng = np.random.default_rng(0)
images = tf.constant(rng.random((16, 32, 32, 3), dtype=np.float32))
labels = tf.constant(rng.integers(0, 10, (16,)), tf.int32)
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
