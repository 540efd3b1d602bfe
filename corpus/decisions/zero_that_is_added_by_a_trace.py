# for: both
import tensorflow as tf


@tf.function
def moved(x, k):
    return x + k


print([moved(tf.constant([-0.0, 1.0]), k).numpy().tolist() for k in (0.0, 0.25, 0.5, 0.75, 1.0)])
