import numpy as np
import tensorflow as tf


def shares(row):
    whole = tf.cast(row, tf.int64)
    return 1000 // whole[0] + tf.repeat(whole, 8)


counts = np.random.default_rng(0).integers(0, 255, (3000, 60)).astype(np.uint8)
rows = tf.data.Dataset.from_tensor_slices(counts).map(shares).shuffle(3000, seed=2).batch(5)  # refused: shuffle_first: shares would
seen = 0
try:
    for row in rows.take(2):
        seen += 1
except tf.errors.InvalidArgumentError:
    print("nothing to share")
print(seen)
