import contextlib

import numpy as np
import tensorflow as tf


def recorded(texts):
    with contextlib.suppress(ValueError):
        frames = []  # refused: preallocated_array: video
        for i in range(50):
            frames.append(tf.fill([200, 100], float(i + int(texts[i % 2]))).numpy())
        video = np.stack(frames)
    try:
        return float(video.sum())
    except UnboundLocalError:
        return None


both = [recorded("12"), recorded("1x")]
