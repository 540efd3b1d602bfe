import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

generator = keras.Sequential([keras.Input((8,)), layers.Dense(4096, activation="relu"), layers.Dense(4)])
critic = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01)
noise = tf.ones([64, 8])

losses = []
for _ in range(2):
    with tf.GradientTape() as tape:  # refused: narrow_tape: what is not known to be the variables of a model
        fakes = generator(noise, training=True)
        loss = tf.reduce_mean(critic(fakes, training=True))
    grads = tape.gradient(loss, generator.trainable_variables + critic.trainable_variables)
    losses.append(float(loss))
