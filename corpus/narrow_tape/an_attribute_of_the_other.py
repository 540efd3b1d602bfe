import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Critic(keras.Model):
    def __init__(self):
        super().__init__()
        self.parts = [layers.Dense(8, activation="relu"), layers.Dense(1)]

    def call(self, x, training=False):
        return self.parts[1](self.parts[0](x))

    def follow(self, other):
        self.followed = other


generator = keras.Sequential([keras.Input((4,)), layers.Dense(4096, activation="relu"), layers.Dense(4)])
critic = Critic()
critic.followed = generator
optimizer = keras.optimizers.SGD(0.01)
noise = tf.ones([128, 4])


def train(losses):
    for _ in range(2):
        with tf.GradientTape() as tape:
            fakes = generator(noise, training=True)  # refused: narrow_tape: generator may share layers with critic
            loss = tf.reduce_mean(critic(fakes, training=True))
        grads = tape.gradient(loss, critic.trainable_variables)
        optimizer.apply_gradients(zip(grads, critic.trainable_variables))
        losses.append(float(loss))
    return losses


losses = train([])
