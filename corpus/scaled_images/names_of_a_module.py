import numpy as np
import tensorflow as tf

images = np.random.randint(256, size=(2000, 32, 32), dtype="uint8")
images = images / 255.0  # refused: scaled_images: images becomes float64, and images is a global name


def total():
    return tf.reduce_sum(tf.cast(images, tf.float32))


if __name__ == "__main__":
    print(total())
