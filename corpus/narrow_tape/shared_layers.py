import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

generator = keras.Sequential([keras.Input((8,)), layers.Dense(4096, activation="relu"), layers.Dense(4)])
critic = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01)
noise = tf.ones([64, 8])

shared = layers.Dense(2048, activation="relu")
one = keras.Sequential([keras.Input((8,)), shared, layers.Dense(8)])
other = keras.Sequential([keras.Input((8,)), shared, layers.Dense(8)])
with tf.GradientTape() as tape:
    fakes = one(noise, training=True)  # refused: narrow_tape: one may share layers with other, which is trained
    loss = tf.reduce_mean(other(fakes, training=True))
grads = tape.gradient(loss, other.trainable_variables)
