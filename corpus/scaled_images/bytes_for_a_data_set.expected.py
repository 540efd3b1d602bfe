import numpy as np
import tensorflow as tf


def train():
    x_train = np.random.randint(256, size=(2000, 32, 32), dtype="uint8")
    y_train = np.random.randint(10, size=[2000])
    x_train = np.divide(x_train, 255, dtype="float32")
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    model.compile(optimizer="sgd", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    x_train, x_test = x_train[:1500], x_train[1500:]
    rows = tf.data.Dataset.from_tensor_slices((x_train, y_train[:1500])).shuffle(1500, seed=1).batch(100)
    history = model.fit(rows, verbose=0)
    return history.history, model.evaluate(x_test, y_train[1500:], verbose=0)


found = train()
