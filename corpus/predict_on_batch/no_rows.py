import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(3)])
waiting = np.zeros((0, 8), np.float32)
failed = 0
for turn in range(3):
    try:
        model.predict(waiting, verbose=0)  # refused: predict_on_batch: waiting is not known to be one batch
    except UnboundLocalError:
        failed += 1
print(failed)
