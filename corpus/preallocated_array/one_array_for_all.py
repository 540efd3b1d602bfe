import numpy as np
import tensorflow as tf

frames = []
frame = np.zeros((500, 500))
for i in range(20):
    frame += 1.0
    frames.append(frame)  # refused: preallocated_array: frame is not known to be a new array
frames = np.stack(frames)
