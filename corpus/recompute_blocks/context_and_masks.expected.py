# unsafe
import keras
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


def recomputed(layer, *inputs, training=None, **options):
    """Call a layer, and keep only its inputs for the gradient, which calls it again from the same state and seeds."""
    if not layer.built:
        return layer(*inputs, training=training, **options)
    state = layer.non_trainable_variables
    before = [tf.identity(variable) for variable in state]
    values = tf.nest.flatten((inputs, options))
    # Gradients reach what is an argument of `forward`; numbers, masks and None have none.
    floats = [i for i, value in enumerate(values) if tf.is_tensor(value) and value.dtype.is_floating]
    first = True

    def forward(*tensors):
        nonlocal first
        given = dict(zip(floats, tensors))
        args, kwargs = tf.nest.pack_sequence_as((inputs, options), [given.get(i, value) for i, value in enumerate(values)])
        if first:
            first = False
            return layer(*args, training=training, **kwargs)
        # The same dropout masks once more, and no second update of statistics.
        with keras.StatelessScope(list(zip(state, before))):
            return layer(*args, training=training, **kwargs)

    return tf.recompute_grad(forward)(*[values[i] for i in floats])


class Decoder(layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.attention = layers.MultiHeadAttention(2, width)
        self.across = layers.MultiHeadAttention(2, width)
        self.dropout = layers.Dropout(0.2)

    def call(self, x, context, mask=None, scale=1, training=None):
        x = x + self.attention(x, x, attention_mask=mask)
        return x + scale * self.dropout(self.across(x, context), training=training)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = layers.Dense(8, activation="tanh")
        self.decoders = [Decoder(8) for _ in range(3)]

    def call(self, inputs, training=None):
        source, x = inputs
        context = self.encoder(source)
        mask = tf.linalg.band_part(tf.ones([5, 5], tf.bool), -1, 0)
        for i in range(3):
            x = recomputed(
                self.decoders[i], x, context, training=training, mask=mask, scale=2
            )
        return x


model = Model()


@tf.function
def step(source, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model((source, x), training=True)))
    return loss, tape.gradient(loss, model.trainable_variables)


source, x = tf.random.normal([2, 6, 8], seed=1), tf.random.normal([2, 5, 8], seed=2)
found = [step(source, x) for _ in range(2)]
print([float(loss) for loss, _ in found])
gradients = found[1][1]
