# for: both
# fidelity: tolerance
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.MeanSquaredError()
dataset = tf.data.Dataset.from_tensor_slices((tf.ones([12, 4]), tf.zeros([12, 1]))).batch(4)

for x, y in dataset:
    with tf.GradientTape() as tape:  # refused: compiled_step: tf.random.normal draws other numbers in a graph
        loss = loss_fn(y, model(x + tf.random.normal([4, 4]), training=True))
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
print(float(loss) >= 0.0)
