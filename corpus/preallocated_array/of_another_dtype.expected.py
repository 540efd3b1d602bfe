# leaves besides: index
import numpy as np
import tensorflow as tf

x = tf.ones([500, 500])
frames = np.empty((3, 500, 500), "float64")
for index, (a, b) in enumerate(zip([1.0, 2.0, 3.0], [4.0, 5.0, 6.0])):
    frames[index] = (x * a + b).numpy()
