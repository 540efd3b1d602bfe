import numpy as np
import tensorflow as tf

ids = np.arange(3000 * 30).reshape(3000, 30) % 201
words = tf.range(200.0)
rows = tf.data.Dataset.from_tensor_slices(ids)
rows = rows.map(lambda row: tf.repeat(tf.gather(words, row), 9)).shuffle(3000, seed=1).batch(10)  # refused: shuffle_first: the function
seen = 0
try:
    for row in rows.take(2):
        seen += 1
except tf.errors.InvalidArgumentError:
    print("no such word")
print(seen)
