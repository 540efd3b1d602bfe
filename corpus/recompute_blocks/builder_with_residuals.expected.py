# unsafe
# leaves besides: cuts
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.clear_session()
keras.utils.set_random_seed(1)

inputs = keras.Input((16, 16, 3))
x = layers.Conv2D(4, 3, padding="same")(inputs)
previous = x
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


def recompute_between(model, cuts):
    """Let a functional model compute again for its gradient what lies between these tensors of it."""
    cuts = [x for x in cuts if x is not model.input]
    if len(cuts) < 2:
        return model
    start = keras.Model(model.input, cuts[0], name=model.name)
    blocks = [keras.Model(x, y, name=model.name) for x, y in zip(cuts, cuts[1:])]
    end = keras.Model(cuts[-1], model.output, name=model.name)

    def call(inputs, training=None, mask=None):
        x = start(inputs, training=training, mask=mask)
        for block in blocks:
            x = recomputed(block, x, training)
        return end(x, training=training)

    model.call = call
    return model


cuts = []
for filters in [4, 8]:
    cuts.append(x)
    x = layers.Activation("relu")(x)
    x = layers.SeparableConv2D(filters, 3, padding="same")(x)
    x = layers.BatchNormalization()(x)
    x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
    residual = layers.Conv2D(filters, 1, strides=2, padding="same")(previous)
    x = layers.add([x, residual])
    previous = x

for filters in [8, 4]:
    cuts.append(x)
    x = layers.Conv2DTranspose(filters, 3, padding="same")(layers.Activation("relu")(x))
    x = layers.BatchNormalization()(x)
    x = layers.UpSampling2D(2)(x)
    residual = layers.Conv2D(filters, 1, padding="same")(layers.UpSampling2D(2)(previous))
    x = layers.add([x, residual])
    previous = x
model = recompute_between(keras.Model(inputs, layers.Conv2D(2, 1, activation="softmax")(x)), cuts)

model.compile("sgd", "sparse_categorical_crossentropy")
images = np.random.default_rng(0).random((8, 16, 16, 3)).astype("float32")
masks = np.random.default_rng(1).integers(0, 2, (8, 16, 16))
history = model.fit(images, masks, batch_size=4, epochs=2, verbose=0)
print(history.history["loss"], model.predict(images[:1], verbose=0).sum())
copy = keras.models.clone_model(model)
print(type(copy).__name__, [variable.path for variable in copy.variables] == [variable.path for variable in model.variables])
