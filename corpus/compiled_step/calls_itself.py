# for: both
# fidelity: tolerance
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01)


def train(rows, epochs):
    for x in rows:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True)))
        grads = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(grads, model.trainable_weights))
        print(float(loss) < 100.0)
    return epochs if epochs == 0 else train(rows, epochs - 1)


left = train([tf.ones([3, 4]), tf.zeros([3, 4])], 1)
