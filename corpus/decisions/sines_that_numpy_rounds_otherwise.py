# for: both
import tensorflow as tf


def swing(angle, speed):
    for _ in range(2000):
        speed = speed - 0.01 * tf.sin(angle)
        angle = angle + 0.01 * speed
    return angle


angle = swing(tf.constant(0.5), tf.constant(0.0))
turned = int(angle * 1e7)
print("done")
