# for: both
# fidelity: tolerance
# deletes: tape, grads
# peak at most: 0.85
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input((64, 64))
x = inputs
for _ in range(3):
    x = layers.LayerNormalization()(x + layers.MultiHeadAttention(4, 16, dropout=0.1)(x, x))
    x = layers.LayerNormalization()(x + layers.Dense(64)(layers.Dense(256, activation="gelu")(x)))
model = keras.Model(inputs, layers.Dense(10)(layers.GlobalAveragePooling1D()(x)))
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
accuracy = keras.metrics.SparseCategoricalAccuracy()
images, labels = tf.random.normal([80, 64, 64], seed=1), tf.random.uniform([80], 0, 10, tf.int32, seed=2)
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)


@tf.function
def train_step(batch, wanted):
    with tf.GradientTape() as tape:
        logits = model(batch, training=True)  # of each class
        loss = loss_fn(wanted, logits)

    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    return logits, loss


# Two passes over the data.
for epoch in range(2):
    for step, (batch, wanted) in enumerate(dataset):
        logits, loss = train_step(batch, wanted)

        accuracy.update_state(wanted, logits)
        if step % 2 == 0:
            print(f"loss at {step}: {float(loss):.2f}")
