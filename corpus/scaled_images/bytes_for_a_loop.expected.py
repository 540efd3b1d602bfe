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


def rows_of(arrays):
    """Pick rows of arrays by their indices, where a dataset of the arrays would hold a copy."""
    flat = tf.nest.flatten(arrays)
    dtypes = [array.dtype for array in flat]

    def pick(indices):
        rows = tf.numpy_function(lambda i: [array[i] for array in flat], [indices], dtypes)
        for row, array in zip(rows, flat):
            row.set_shape(indices.shape + array.shape[1:])
        return tf.nest.pack_sequence_as(arrays, rows)

    return pick


def train():
    x_train = np.random.randint(256, size=(4000, 32, 32, 3), dtype="uint8")
    y_train = np.random.randint(10, size=[4000])
    x_test = np.random.randint(256, size=(200, 32, 32, 3), dtype="uint8")
    x_train, x_test = np.divide(x_train, 255.0, dtype="float32"), np.divide(x_test, 255.0, dtype="float32")
    train_ds = tf.data.Dataset.range(len(x_train)).shuffle(500).batch(100).map(
        rows_of((x_train, y_train))
    )
    losses = []
    for step, (images, labels) in enumerate(train_ds):
        losses.append(float(train_step(images, labels)))
    scores = []
    for index, image in zip(range(3), x_test):
        scores.append(model(tf.expand_dims(image, 0)))
    return losses, scores


found = train()
