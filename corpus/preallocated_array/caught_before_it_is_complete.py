import numpy as np
import tensorflow as tf


def render(i, attempt):
    if attempt == 1 and i == 20:
        raise OSError("the camera is gone")
    return tf.fill([200, 100], float(i + attempt))


for attempt in range(2):
    try:
        frames = []  # refused: preallocated_array: video
        for i in range(50):
            frames.append(render(i, attempt).numpy())
        video = np.stack(frames)
    except OSError as error:
        print(error)
total = video.sum()
