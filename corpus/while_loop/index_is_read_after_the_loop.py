# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def counted(x):
    for i in range(3, 200, 2):
        x = x + 1.0
    # i is 199 here
    return x * i


result = counted(tf.ones([2]))
