# for: both
import tensorflow as tf


@tf.function
def _late_loop(turns, speed, total, angles):
    def step(turn, total, angles):
        total = total + (angles * 0.3 + speed * 0.7) % 0.1
        angles = angles + 1.0
        return turn + 1, total, angles

    _, total, _ = tf.while_loop(
        lambda turn, total, angles: turn < turns,
        step,
        (0, total, angles),
        shape_invariants=(tf.TensorShape([]), total.shape, angles.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return total


def late(angles, speed, turns):
    total = tf.zeros_like(angles)
    total = _late_loop(tf.constant(turns), speed, total, angles)
    return total


phases = late(tf.range(300, dtype=tf.float32), tf.range(300, dtype=tf.float32), 50)
print("done")
