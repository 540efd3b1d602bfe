import numpy as np
import tensorflow as tf

rows = np.random.rand(1000, 1000)
windows = []
for i in range(900):
    windows.append(rows[0])  # refused: preallocated_array: rows[0] is not known to be a new array
windows = np.stack(windows)
