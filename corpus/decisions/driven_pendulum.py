# for: both
import tensorflow as tf


def swing(angle, speed):
    for turn in range(600):  # refused: compiled_loop: an operation depends on a value that is rounded differently
        speed = speed * 0.99 - 0.3 * tf.sin(angle) + 0.6 * tf.cos(turn * 0.2)
        angle = tf.math.floormod(angle + 0.3 * speed, 6.2831855)
    return angle


angle = swing(tf.constant(0.5), tf.constant(0.0))
turned = int(angle * 1000.0)
print("done")
