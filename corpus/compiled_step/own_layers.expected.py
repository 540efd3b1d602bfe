# for: both
# fidelity: tolerance
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Noisy(layers.Layer):
    def __init__(self):
        super().__init__()
        self.drop = layers.Dropout(0.5)

    def call(self, x, training=None):
        if training:
            x = self.drop(x, training=training)
        return x


inputs = keras.Input((4,))
model = keras.Model(inputs, layers.Dense(1)(Noisy()(layers.Dense(16, activation="relu")(inputs))))
optimizer = keras.optimizers.Adam(0.01)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(y - model(x, training=True)))
    grads = tape.gradient(target=loss, sources=model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    return {"loss": loss}


losses = []
for _ in range(3):
    losses.append(float(train_step(tf.ones([8, 4]), tf.zeros([8, 1]))["loss"]))
