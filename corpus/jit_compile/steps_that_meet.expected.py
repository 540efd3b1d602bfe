# for: both
# fidelity: tolerance
# peak at most: 0.6
import tensorflow as tf


@tf.function(jit_compile=True)
def bell(x):
    """What rises and what falls."""
    rising = tf.exp(x)
    falling = tf.exp(-x)  # and not 1 / rising
    return (rising - falling) / (rising + falling)


total = 0.0
for step in range(3):
    total += float(tf.reduce_mean(bell(tf.fill([2000, 1000], 0.5))))
