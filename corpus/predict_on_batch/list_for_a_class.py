import numpy as np
import tensorflow as tf


class Pair(tf.keras.Model):
    def call(self, inputs):
        return inputs[0] if isinstance(inputs, list) else inputs[0] + inputs[1]


model = Pair()
for i in range(3):
    rows = model.predict([np.full((1, 4), float(i)), np.ones((1, 4))], verbose=0)  # refused: predict_on_batch: has its own call
print(rows)
