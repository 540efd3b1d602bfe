# raises
import numpy as np
import tensorflow as tf

words = tf.keras.layers.TextVectorization(max_tokens=50, output_sequence_length=4)
words.adapt(["a b c", "d e f"])
model = tf.keras.Sequential([words])
for text in ["a b", "c d"]:
    rows = model.predict(np.array([text]), verbose=0)  # refused: predict_on_batch: numbers
