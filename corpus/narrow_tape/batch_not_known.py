import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

generator = keras.Sequential([keras.Input((8,)), layers.Dense(4096, activation="relu"), layers.Dense(4)])
critic = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01)
noise = tf.ones([64, 8])

for rows in tf.data.Dataset.from_tensor_slices(tf.ones([100, 8])).batch(64):
    with tf.GradientTape() as tape:
        fakes = generator(rows, training=True)  # refused: narrow_tape: how much the tape keeps
        loss = tf.reduce_mean(critic(fakes, training=True))
    grads = tape.gradient(loss, critic.trainable_variables)
