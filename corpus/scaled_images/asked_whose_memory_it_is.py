import numpy as np
import tensorflow as tf

x = np.random.default_rng(0).random((3000, 784), np.float32)
x = x.reshape(3000, 28, 28)
x = x / 255.0
print(x.base is None, x.flags.owndata)  # refused: scaled_images: whose memory an array has is asked for here
total = tf.reduce_sum(x[:10])
