# peak at most: 0.85
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

generator = keras.Sequential(
    [
        keras.Input((32,)),
        layers.Dense(7 * 7 * 64, activation="relu"),
        layers.Reshape((7, 7, 64)),
        layers.Conv2DTranspose(64, 5, strides=2, padding="same", activation="relu"),
        layers.Conv2DTranspose(64, 5, strides=2, padding="same", activation="relu"),
        layers.Conv2D(1, 5, padding="same", activation="tanh"),
    ]
)
discriminator = keras.Sequential(
    [keras.Input((28, 28, 1)), layers.Conv2D(16, 5, strides=4, padding="same"), layers.LeakyReLU(), layers.Flatten(), layers.Dense(1)]
)
optimizer = keras.optimizers.SGD(0.01)
bce = keras.losses.BinaryCrossentropy(from_logits=True)


def train_discriminator(images, noise):
    with tf.GradientTape() as tape:
        # The fakes, which the discriminator learns to know.
        fakes = generator(noise, training=True)

        on_fakes = discriminator(fakes, training=True)
        on_images = discriminator(images, training=True)
        loss = bce(tf.ones_like(on_images), on_images) + bce(tf.zeros_like(on_fakes), on_fakes)
    grads = tape.gradient(loss, discriminator.trainable_variables)
    optimizer.apply_gradients(zip(grads, discriminator.trainable_variables))
    return loss


losses = [train_discriminator(tf.zeros([32, 28, 28, 1]), tf.ones([32, 32])) for _ in range(2)]
