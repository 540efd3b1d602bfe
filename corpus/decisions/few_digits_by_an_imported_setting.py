# for: both
import numpy as np
from numpy import set_printoptions
import tensorflow as tf

set_printoptions(precision=0, suppress=True, threshold=100000)


def run(x, b):
    y = x
    for _ in range(200):
        y = x * 0.1 + b
        x = x + 1.0
    return y


start = tf.range(4000.0) * 0.7
print(run(start, 0.5 - (start + 199.0) * 0.1).numpy())
set_printoptions(precision=8, suppress=False, threshold=1000)
