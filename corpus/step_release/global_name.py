import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential(
    [keras.Input((512,)), layers.Dense(1024), layers.Dense(1024), layers.Dense(1024), layers.Dense(1024), layers.Dense(1)]
)
optimizer = keras.optimizers.SGD(0.01)
rows = [tf.ones([16, 512]), tf.zeros([16, 512])]


def train():
    global grads
    for x in rows:
        with tf.GradientTape() as tape:  # refused: step_release: something else may read grads
            loss = tf.reduce_mean(tf.square(model(x, training=True)))
        grads = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(grads, model.trainable_weights))


train()
print(len(grads))
