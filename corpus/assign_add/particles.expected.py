# peak at most: 0.7
"""Particles that move on with the speed that they have."""
import tensorflow as tf

places = tf.Variable(tf.zeros([1000, 1000]))
speeds = tf.fill([1000, 1000], 0.25)

for _ in range(3):
    places.assign_add(speeds)

mean = float(tf.reduce_mean(places))
del places
