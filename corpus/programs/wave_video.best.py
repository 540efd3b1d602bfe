"""Every frame is written where it belongs in the video."""

import numpy as np
import tensorflow as tf


def render(x, y, time):
    distance = tf.sqrt(tf.square(x) + tf.square(y))
    return tf.sin(10.0 * distance - time) / (1.0 + distance)


def video():
    x = tf.linspace(-1.0, 1.0, 500)[None, :]
    y = tf.linspace(-1.0, 1.0, 500)[:, None]
    frames = np.empty((120, 500, 500), np.float32)
    for i in range(120):
        frames[i] = render(x, y, 0.1 * i).numpy()
    return frames


frames = video()
