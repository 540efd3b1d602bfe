# for: both
# fidelity: tolerance
import numpy as np
import tensorflow as tf


def pendulum(angle, speed):
    speed = speed.numpy()
    angle = angle.numpy()
    # ten seconds of it
    for step in range(1000):
        speed = speed - np.sin(angle) * np.float32(0.01)
        angle += speed * np.float32(0.01)
        energy = speed**np.float32(2) * np.float32(0.5)
    angle = tf.constant(angle)
    energy = tf.constant(energy)
    return angle, energy


result = pendulum(tf.constant(0.3), tf.constant(0.0))
