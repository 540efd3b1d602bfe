# unsafe
import keras
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


def recomputed(layer, x, training=None):
    """Call a layer, and keep only its input for the gradient, which calls it again from the same state and seeds."""
    if not layer.built:
        return layer(x, training=training)
    state = layer.non_trainable_variables
    before = [tf.identity(variable) for variable in state]
    first = True

    def forward(x):
        nonlocal first
        if first:
            first = False
            return layer(x, training=training)
        # The same dropout masks once more, and no second update of statistics.
        with keras.StatelessScope(list(zip(state, before))):
            return layer(x, training=training)

    return tf.recompute_grad(forward)(x)


class StochasticDepth(layers.Layer):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate
        self.seed_generator = keras.random.SeedGenerator(7)

    def call(self, x, training=None):
        if not training:
            return x
        kept = keras.random.uniform((tf.shape(x)[0], 1), seed=self.seed_generator) > self.rate
        return x * tf.cast(kept, x.dtype)


class Perceiver(keras.Model):
    def __init__(self, turns):
        super().__init__()
        self.turns = turns
        self.block = keras.Sequential([layers.Dense(8, activation="tanh"), StochasticDepth(0.3), layers.Dense(8, activation="tanh")])

    def call(self, x, training=None):
        for _ in range(self.turns):
            x = recomputed(self.block, x, training)
        return x


model = Perceiver(3)
x = tf.random.normal([6, 8], seed=2)
found = []
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(model(x, training=True)))
    found.append((float(loss), tape.gradient(loss, model.trainable_variables)))
print([loss for loss, _ in found])
seeds = [variable.numpy() for variable in model.non_trainable_variables]
