# for: both
# fidelity: tolerance
# peak at most: 0.5
import tensorflow as tf

SHARE = tf.constant(0.5)


# What rises and what falls.
def bell(x: tf.Tensor) -> tf.Tensor:
    rising = tf.exp(x)
    falling = tf.exp(-x)
    return SHARE * (rising - falling) / (rising + falling)


def mean(x):
    return tf.reduce_mean(bell(x))


means = [mean(tf.fill([1000, 1000], 0.5)) for _ in range(3)]
