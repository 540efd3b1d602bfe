# unsafe
import keras
import tensorflow as tf

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


class Block(keras.Layer):
    def __init__(self, width):
        super().__init__()
        self.dense = keras.layers.Dense(width, activation="tanh")
        self.gate = keras.layers.Dense(width, activation="sigmoid")

    def call(self, pair):
        x, skip = pair
        return self.dense(x) * self.gate(skip), tf.reduce_mean(skip, axis=-1)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [Block(4), Block(4), Block(4)]

    def call(self, first):
        x = first
        scores = []
        for block in self.blocks:
            x, score = recomputed(block, [x, first])
            scores.append(score)
        return x, scores


model = Model()
x = tf.random.normal([3, 4], seed=1)
with tf.GradientTape() as tape:
    tape.watch(x)
    result, scores = model(x)
    loss = tf.reduce_sum(result) + tf.reduce_sum(scores[2])
gradients = tape.gradient(loss, [x, *model.trainable_variables])
print(float(loss), [float(tf.reduce_sum(one)) for one in gradients])
