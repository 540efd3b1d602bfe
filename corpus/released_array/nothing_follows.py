import numpy as np
import tensorflow as tf

pixels = np.random.rand(2000, 1000)
scaled = pixels.astype("float32")
print(scaled.shape)
