import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(3)])
times = []
predict = model.predict


def counted(rows, verbose):
    times.append(len(rows))
    return predict(rows, verbose=verbose)


model.predict = counted
for turn in range(3):
    model.predict(np.full((1, 8), turn, np.float32), verbose=0)  # refused: predict_on_batch: the file may give a model a predict of its own
print(times)
