import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential(
    [
        keras.Input((512,)),
        layers.Dense(1024, activation="relu"),
        layers.Dense(1024, activation="relu"),
        layers.Dense(1024, activation="relu"),
        layers.Dense(1024, activation="relu"),
        layers.Dense(10),
    ]
)
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
x_train, y_train = tf.ones([128, 512]), tf.zeros([128], tf.int32)
dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(60)

sizes = []
for step, (x, y) in enumerate(dataset):
    with tf.GradientTape() as tape:  # refused: step_release: something else may read grads
        logits = model(x, training=True)
        loss = loss_fn(y, logits)
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    sizes.append(lambda: len(grads))
print(sizes[0]())
