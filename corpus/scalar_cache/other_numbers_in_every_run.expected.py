# peak at most: 0.4
import time

import numpy as np
import tensorflow as tf


def passed(levels, start):
    count = 0
    for turn in range(3000):
        count += int(tf.reduce_sum(tf.cast(levels < np.array(start + turn, np.float32), tf.int32)))
    return count


counted = passed(tf.zeros([8]), float(time.time()))
print(counted)
