import numpy as np
import tensorflow as tf


class Trainer:
    def fit(self, x, y, verbose):
        return x.dtype.name


def train():
    x_train = np.random.randint(256, size=(2000, 32, 32), dtype="uint8")
    x_train = x_train / 255.0  # refused: scaled_images: x_train becomes float64, and model.fit(x_train, 1, verbose=0) would see float32
    model = Trainer()
    return model.fit(x_train, 1, verbose=0)


found = train()
