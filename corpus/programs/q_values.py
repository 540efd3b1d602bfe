"""A game of 100 steps, in each of which a network predicts what its actions are worth."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
network = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(2)])


def play(steps):
    state, actions = np.zeros(4), []
    for step in range(steps):
        values = network.predict(state[np.newaxis], verbose=0)[0]
        actions.append(int(np.argmax(values)))
        state = np.sin(np.arange(4) + actions[-1] + step)
    return actions


actions = play(100)
