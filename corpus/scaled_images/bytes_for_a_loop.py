# peak at most: 0.75
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.layers.AveragePooling2D(8), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def train():
    x_train = np.random.randint(256, size=(4000, 32, 32, 3), dtype="uint8")
    y_train = np.random.randint(10, size=[4000])
    x_test = np.random.randint(256, size=(200, 32, 32, 3), dtype="uint8")
    x_train, x_test = x_train / 255.0, x_test / 255.0
    train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(500).batch(100)
    losses = []
    for step, (images, labels) in enumerate(train_ds):
        losses.append(float(train_step(images, labels)))
    scores = []
    for index, image in zip(range(3), x_test):
        scores.append(model(tf.expand_dims(image, 0)))
    return losses, scores


found = train()
