import numpy as np
import tensorflow as tf
from tensorflow import keras

texts = np.array([f"{i:>3000}" for i in range(10000)])
y = np.arange(10000) % 10
lengths = keras.Sequential([keras.layers.TextVectorization(max_tokens=5, output_sequence_length=4), keras.layers.Embedding(5, 4), keras.layers.Flatten(), keras.layers.Dense(10)])
lengths.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
try:
    lengths.fit(texts, y, verbose=0)  # refused: fit_input: is not known to be an array of numbers
except ValueError:
    print("no numbers")
