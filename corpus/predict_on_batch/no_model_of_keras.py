import numpy as np
import tensorflow as tf


class Mean:
    def predict(self, x, verbose=1):
        return tf.reduce_mean(x, axis=1).numpy()


model = Mean()
print([model.predict(np.ones([1, 2]), verbose=0).tolist() for _ in range(3)])
