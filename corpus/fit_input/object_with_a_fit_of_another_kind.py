import numpy as np
import tensorflow as tf


class Mean:
    def fit(self, x, y):
        self.mean = x.mean(axis=0)
        return self


x = np.random.default_rng(0).random((9000, 784), dtype="float32")
y = np.arange(9000) % 10
mean = Mean().fit(x, y)
total = float(tf.reduce_sum(mean.mean))
