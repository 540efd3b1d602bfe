# for: both
# fidelity: tolerance
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Critic:
    def __init__(self, size):
        self.model = keras.Sequential([keras.Input((size,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
        self.optimizer = keras.optimizers.Adam(1e-3)
        self.loss = keras.losses.MeanSquaredError()

    @tf.function
    def train(self, states, targets):
        with tf.GradientTape() as tape:
            values = self.model(states, training=True)
            loss = self.loss(targets, values)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss


critic = Critic(4)
losses = []
for _ in range(3):
    losses.append(critic.train(tf.ones([5, 4]), tf.zeros([5, 1])))
