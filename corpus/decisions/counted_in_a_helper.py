# for: both
import tensorflow as tf


def at_least(x, limit):
    return int(tf.math.count_nonzero(x >= limit))


def grades(points, turns):
    for _ in range(turns):
        reached = points / 41.0
        points = points + 41.0
    return reached


def passed(points):
    return [at_least(grades(points, 60), limit) for limit in range(59, 80)]


print(passed(tf.range(0, 1000, dtype=tf.float32)))
