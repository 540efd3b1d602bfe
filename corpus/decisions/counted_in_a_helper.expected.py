# for: both
import tensorflow as tf


def at_least(x, limit):
    return int(tf.math.count_nonzero(x >= limit))


@tf.function
def _grades_loop(turns, divisor, points):
    def step(i, points, reached):
        reached = points / divisor
        points = points + 41.0
        return i + 1, points, reached

    _, _, reached = tf.while_loop(
        lambda i, points, reached: i < turns,
        step,
        (0, points, tf.zeros(points.shape, tf.float32)),
        shape_invariants=(tf.TensorShape([]), points.shape, points.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return reached


def grades(points, turns):
    reached = _grades_loop(tf.constant(turns), tf.constant(41.0, tf.float32), points)
    return reached


def passed(points):
    return [at_least(grades(points, 60), limit) for limit in range(59, 80)]


print(passed(tf.range(0, 1000, dtype=tf.float32)))
