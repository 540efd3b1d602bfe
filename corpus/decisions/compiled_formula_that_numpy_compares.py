# for: both
import numpy as np
import tensorflow as tf


@tf.function
def smooth(x):  # refused: jit_compile: `x + 0.044715 * cube` may round off what is beside 1.1e+06
    cube = x * x * x
    return 0.5 * x * (1.0 + tf.tanh(0.797885 * (x + 0.044715 * cube)))


x = tf.reshape(tf.range(1100000.0), [1100, 1000]) * 1e-5
turning = [int(np.sum(np.diff(np.reshape(smooth(one).numpy(), [-1])) < 0.0)) for one in (x, -x)]
print("done")
