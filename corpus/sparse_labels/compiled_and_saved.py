# unsafe
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
CLASSES = 100


def train():
    x = np.random.rand(4000, 16).astype("float32")
    y = np.random.randint(CLASSES, size=[4000, 1]).astype("uint8")
    y_hot = tf.keras.utils.to_categorical(y, CLASSES)
    model = tf.keras.Sequential([tf.keras.Input([16]), tf.keras.layers.Dense(CLASSES, activation="softmax")])
    model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["acc"])
    model.get_config()  # refused: sparse_labels: model.get_config may show the loss of model
    return model.fit(x, y_hot, verbose=0, epochs=2, validation_split=0.1).history, model.evaluate(x, y_hot, verbose=0)


found = train()
