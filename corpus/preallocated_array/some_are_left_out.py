import numpy as np
import tensorflow as tf

x = tf.ones([500, 500])
frames = []
for i in range(20):
    if i % 2:
        frames.append((x * float(i)).numpy())
frames = np.stack(frames)
