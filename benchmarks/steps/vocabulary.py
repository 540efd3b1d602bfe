"""A vocabulary of 20,000 words, and 1,024 places to predict one at."""

import keras
import tensorflow as tf

keras.utils.set_random_seed(1)
x = tf.random.stateless_normal([1024, 64], [1, 2])
words = tf.random.stateless_uniform([1024], [3, 4], 0, 20000, tf.int32)
model = keras.layers.Dense(64, activation="tanh")
head = keras.layers.Dense(20000)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = keras.optimizers.SGD(0.1)


def train_step(x, words):
    with tf.GradientTape() as tape:
        hidden = model(x)
        logits = head(hidden)
        loss = loss_fn(words, logits)
    variables = model.trainable_variables + head.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for _ in range(2):
    loss = train_step(x, words)
loss = train_step(x, words)
