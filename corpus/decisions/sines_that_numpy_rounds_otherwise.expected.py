# for: both
import tensorflow as tf


@tf.function
def _swing_loop(speed, angle):
    def step(i, speed, angle):
        speed = speed - 0.01 * tf.sin(angle)
        angle = angle + 0.01 * speed
        return i + 1, speed, angle

    _, _, angle = tf.while_loop(
        lambda i, speed, angle: i < 2000,
        step,
        (0, speed, angle),
        shape_invariants=(tf.TensorShape([]), speed.shape, angle.shape),
        maximum_iterations=2000,
        parallel_iterations=1,
    )
    return angle


def swing(angle, speed):
    angle = _swing_loop(speed, angle)
    return angle


angle = swing(tf.constant(0.5), tf.constant(0.0))
turned = int(angle * 1e7)
print("done")
