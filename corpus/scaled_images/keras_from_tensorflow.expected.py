# Nothing is imported under the name of TensorFlow or NumPy.
import numpy as np
from tensorflow import cast, random
from tensorflow.keras import Sequential, layers, losses, utils


def train():
    x_train = cast(random.uniform([3000, 28, 28], 0.0, 256.0), "uint8").numpy()
    y_train = cast(random.uniform([3000], 0.0, 10.0), "int64").numpy()
    x_train = np.divide(x_train, 255.0, dtype="float32")
    model = Sequential([layers.Flatten(), layers.Dense(10)])
    model.compile("sgd", losses.SparseCategoricalCrossentropy(from_logits=True))
    return model.fit(x_train, y_train, verbose=0).history


utils.set_random_seed(1)
history = train()
