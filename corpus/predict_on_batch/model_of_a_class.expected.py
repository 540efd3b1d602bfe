import numpy as np
import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(8, activation="tanh")
        self.dropout = keras.layers.Dropout(0.5)
        self.out = keras.layers.Dense(3)

    def call(self, x, training=False):
        return self.out(self.dropout(self.hidden(x), training=training))


class Agent:
    def __init__(self):
        self.net = self.build()

    def build(self):
        net = Net()
        net.compile(loss="mse")
        return net

    def act(self, state):
        return self.net.predict_on_batch(
            np.expand_dims(state, axis=0),
        )


tf.keras.utils.set_random_seed(1)
agent = Agent()
found = [agent.act([0.5 * i, 1.0, -i]).tolist() for i in range(5)]
del agent
