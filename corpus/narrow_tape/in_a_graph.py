import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

generator = keras.Sequential([keras.Input((8,)), layers.Dense(4096, activation="relu"), layers.Dense(4)])
critic = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01)
noise = tf.ones([64, 8])


@tf.function
def step():
    with tf.GradientTape() as tape:
        fakes = generator(noise, training=True)
        loss = tf.reduce_mean(critic(fakes, training=True))
    return tape.gradient(loss, critic.trainable_variables)


grads = step()
