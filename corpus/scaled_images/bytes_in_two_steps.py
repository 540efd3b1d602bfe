import numpy as np
import tensorflow as tf


def train():
    x_train = np.random.randint(256, size=(2000, 32, 32), dtype="uint8")
    y_train = np.random.randint(10, size=[2000])
    x_train = (x_train.reshape(-1, 1024) - 127.5) / 127.5
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    model.compile(optimizer="sgd", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    history = model.fit(x_train, y_train, verbose=0, validation_split=0.2, shuffle=False)
    logits = model(x_train[:3])
    return history.history, model.predict(x_train[:5], verbose=0), logits, x_train.shape, len(x_train)


found = train()
