# for: both
# fidelity: tolerance
import tensorflow as tf


def pendulum(angle, speed):
    # ten seconds of it
    for step in range(1000):
        speed = speed - tf.sin(angle) * 0.01
        angle += speed * 0.01
        energy = speed**2 * 0.5
    return angle, energy


result = pendulum(tf.constant(0.3), tf.constant(0.0))
