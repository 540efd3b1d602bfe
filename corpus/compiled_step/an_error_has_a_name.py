# for: both
# fidelity: tolerance
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((64,)), keras.layers.Dense(64), keras.layers.Dense(10)])
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
images, labels = tf.random.normal([80, 64], seed=1), tf.random.uniform([80], 0, 10, tf.int32, seed=2)
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
for batch, wanted in dataset:
    with tf.GradientTape() as tape:
        try:
            loss = loss_fn(wanted, model(batch, training=True))
        except ValueError as error:
            print(error)
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
del grads
print(float(loss) > 0.0)
