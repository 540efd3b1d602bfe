import numpy as np
import tensorflow as tf


def level():
    return 0.0 if epoch == 0 else float(video.mean())


for epoch in range(3):
    frames = []  # refused: preallocated_array: video
    for i in range(50):
        frames.append(tf.fill([200, 100], i + level()).numpy())
    video = np.stack(frames)
total = video.sum()
