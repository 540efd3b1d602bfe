import numpy as np
import tensorflow as tf


def generate(model, tokens, count):
    for _ in range(count):
        scores = model.predict(np.array([tokens]), verbose=0)  # refused: predict_on_batch: names stop_predicting
        tokens = [*tokens[1:], int(np.argmax(scores[0, -1]))]
    return tokens


tf.keras.utils.set_random_seed(2)
layers = tf.keras.layers
model = tf.keras.Sequential([tf.keras.Input([6], dtype="int32"), layers.Embedding(20, 8), layers.LSTM(8, return_sequences=True), layers.Dense(20)])
print(generate(model, [1, 2, 3, 4, 5, 6], 5))
print(model.stop_predicting)
