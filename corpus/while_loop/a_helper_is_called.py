# for: both
import tensorflow as tf


def step(state, drive):
    return 0.9 * state + tf.tanh(drive)


@tf.function
def drive(x, u):
    for _ in range(48):
        x = step(x, u)
    return x


result = drive(tf.zeros([4]), tf.ones([4]))
