# for: both
# fidelity: tolerance
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.MeanSquaredError()
dataset = tf.data.Dataset.from_tensor_slices((tf.ones([12, 4]), tf.zeros([12, 1]))).batch(4)

import numpy as np

for _ in range(3):
    wanted = np.full([12, 1], 0.5)
    with tf.GradientTape() as tape:  # refused: compiled_step: wanted is a NumPy array, and takes part otherwise
        loss = tf.reduce_mean(tf.square(model(tf.ones([12, 4]), training=True) - wanted))
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
print(float(loss) >= 0.0)
