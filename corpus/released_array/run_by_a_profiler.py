import cProfile
import pstats

import numpy as np
import tensorflow as tf

pixels = np.random.rand(5000, 1000)
scaled = pixels.astype("float32")
total = 0.0
for _ in range(3):
    total += tf.reduce_sum(tf.constant(scaled) * 2.0)
profile = cProfile.Profile()
profile.run("pass")  # it may be the name of anything
statistics = pstats.Stats(profile)
