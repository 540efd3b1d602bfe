# for: both
# fidelity: tolerance
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.MeanSquaredError()
dataset = tf.data.Dataset.from_tensor_slices((tf.ones([12, 4]), tf.zeros([12, 1]))).batch(4)


def train(weight):
    for x, y in dataset:
        with tf.GradientTape() as tape:  # refused: compiled_step: scaled, which is read after the step, is given in a condition
            loss = loss_fn(y, model(x, training=True))
            if weight > 0:
                scaled = loss * weight
                loss = scaled
        grads = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(grads, model.trainable_weights))
        print(float(scaled) >= 0.0)


train(2)
