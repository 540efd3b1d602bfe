# unsafe
# peak at most: 0.7
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


class Block(layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.attention = layers.MultiHeadAttention(2, width // 2, dropout=0.1)
        self.norm = layers.LayerNormalization()
        self.feed_forward = keras.Sequential([layers.Dense(4 * width, activation="gelu"), layers.Dense(width)])
        self.dropout = layers.Dropout(0.1)

    def call(self, x, training=None):
        x = x + self.attention(x, x, training=training)
        return x + self.dropout(self.feed_forward(self.norm(x)), training=training)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [Block(32) for _ in range(4)]
        self.head = layers.Dense(1)

    def call(self, x, training=None):
        # Each block keeps what its gradient needs.
        for block in self.blocks:
            x = recomputed(block, x, training)  # one after the other
        return self.head(x)


model = Model()
optimizer = keras.optimizers.SGD(1e-5)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


losses = [train_step(tf.ones([64, 32, 32]), tf.zeros([64, 32, 1])) for _ in range(3)]
print(len(losses))
