import numpy as np
import tensorflow as tf

x = (np.arange(35000 * 100, dtype=np.float64) * 37.0).reshape(35000, 100)
rows = (
    tf.data.Dataset.from_tensor_slices((x, np.arange(35000)))  # refused: array_input: what depends on their place in a batch
    .map(lambda row, i: (tf.cast(row, tf.uint8), tf.cast(i, tf.int32)))
    .batch(64)
)
total = [int(tf.reduce_sum(tf.cast(row, tf.int32))) for row, i in rows.take(3)]
