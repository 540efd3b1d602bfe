import numpy as np
import tensorflow as tf

numbers = tf.keras.Input((1,), dtype="int64")
model = tf.keras.Model(numbers, tf.keras.layers.Hashing(1000)(numbers))
places = []
for step in range(3):
    # As float32, which predict makes of it, it would be another number.
    place = model.predict(np.array([[20000001.0 + step]]), verbose=0)  # refused: predict_on_batch: float32
    places.append(int(place[0, 0]))
print(places)
