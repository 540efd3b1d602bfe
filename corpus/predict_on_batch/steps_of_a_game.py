# peak at most: 0.6
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(2)])

state = np.zeros(4)
actions = []
for step in range(6):
    values = model.predict(state[np.newaxis], verbose=0)[0]
    action = int(np.argmax(values))
    actions.append(action)
    state = np.sin(np.arange(4) + action + step)
print(actions, float(values[0]))
