import numpy as np
import tensorflow as tf



def scaled(images: np.ndarray):
    return images.astype("float32") / 255  # refused: scaled_images: images is not known to have an axis


total = tf.reduce_sum(scaled(np.random.randint(256, size=(1000, 64, 64), dtype="uint8"))) + scaled(np.array(7))
