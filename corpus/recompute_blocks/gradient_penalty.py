# unsafe
import keras
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [keras.Sequential([layers.Dense(8, activation="tanh"), layers.Dense(8)]) for _ in range(3)]

    def call(self, x, training=None):
        for block in self.blocks:
            x = block(x, training=training)  # refused: recompute_blocks: what is computed again has no second derivative
        return x


def penalty(critic, x):
    with tf.GradientTape() as inner:
        inner.watch(x)
        scores = critic(x, training=True)
    return tf.reduce_mean(tf.square(tf.norm(inner.gradient(scores, x), axis=1) - 1.0))


model = Model()
x = tf.random.normal([4, 8], seed=1)
with tf.GradientTape() as tape:
    loss = penalty(model, x)
print(float(loss), len(tape.gradient(loss, model.trainable_variables)))
