import numpy as np
import tensorflow as tf


def prepared(image, number):
    image = tf.cast(image, tf.float32) / 255.0
    return image, tf.reduce_sum(tf.one_hot(3, 2900 - number))


images = np.zeros((3000, 28, 28), np.uint8)
rows = tf.data.Dataset.from_tensor_slices((images, np.arange(3000, dtype=np.int32)))
rows = rows.map(prepared).shuffle(2000, seed=1)  # refused: shuffle_first: tf.one_hot(3, 2900 - number) may raise
seen = 0
try:
    for image, number in rows:
        seen += 1
except (tf.errors.InvalidArgumentError, tf.errors.UnknownError):
    print("stopped after", seen)
