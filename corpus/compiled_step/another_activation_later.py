# for: both
# fidelity: tolerance
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input((4,))
hidden = layers.Dropout(0.5, name="drop")(layers.Dense(8, activation="relu", name="hidden")(inputs))
model = keras.Model(inputs, layers.Dense(1)(hidden))
optimizer = keras.optimizers.SGD(0.01, momentum=0.5)
loss_fn = keras.losses.MeanSquaredError()
dataset = tf.data.Dataset.from_tensor_slices((tf.ones([12, 4]), tf.zeros([12, 1]))).batch(4)


def train_step(x, y):
    with tf.GradientTape() as tape:  # refused: compiled_step: activation may be assigned after the first step
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    return loss


for epoch in range(3):
    if epoch == 2:
        model.get_layer("hidden").activation = tf.nn.tanh
    for x, y in dataset:
        print(float(train_step(x, y)) >= 0.0)
