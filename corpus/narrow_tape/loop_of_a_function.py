import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

generator = keras.Sequential([keras.Input((8,)), layers.Dense(4096, activation="relu"), layers.Dense(4)])
critic = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01)
noise = tf.ones([64, 8])


def train(losses):
    for _ in range(2):
        # One step.
        with tf.GradientTape() as tape:
            fakes = generator(noise, training=True)  # no gradient
            scores = critic(fakes, training=True)
            loss = tf.reduce_mean(scores)
        grads = tape.gradient(loss, critic.trainable_variables)
        optimizer.apply_gradients(zip(grads, critic.trainable_variables))
        losses.append(float(loss))
    return losses


losses = train([])
