# for: both
# fidelity: tolerance
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Agent:
    def __init__(self):
        self.epsilon = 1.0
        self.model = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(2)])
        self.optimizer = keras.optimizers.Adam(0.01)
        self.loss = keras.losses.MeanSquaredError()

    def learn(self, states, targets):
        with tf.GradientTape() as tape:
            loss = self.loss(targets, self.model(states, training=True))
        grads = tape.gradient(loss, self.model.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_weights))
        return loss

    def decay(self):
        self.epsilon *= 0.9


agent = Agent()
for episode in range(4):
    print(float(agent.learn(tf.ones([3, 4]), tf.zeros([3, 2]))) >= 0.0)
    agent.decay()
    agent.epsilon = max(agent.epsilon, 0.1)
print(agent.epsilon)
