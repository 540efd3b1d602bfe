# fidelity: tolerance
import tensorflow as tf


def pushed(speed, push):
    half = push / 2  # exact in a tensor too
    return speed * 0.9 + half * tf.ones_like(speed)


@tf.function
def advance(place, speed, push):
    speed = pushed(speed, push)
    return place + speed, speed


def simulate(place, speed):
    for push in range(30):
        place, speed = advance(place, speed, push)
    return place


end = simulate(tf.zeros([50]), tf.ones([50]))
