# for: both
import tensorflow as tf


def late(angles, speed, turns):
    total = tf.zeros_like(angles)
    for turn in range(turns):
        total = total + (angles * 0.3 + speed * 0.7) % 0.1
        angles = angles + 1.0
    return total


phases = late(tf.range(300, dtype=tf.float32), tf.range(300, dtype=tf.float32), 50)
print("done")
