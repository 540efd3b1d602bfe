# fidelity: tolerance
import tensorflow as tf


@tf.function
def relax(grid):
    for sweep in range(25):
        for axis_shift in range(1, 3):
            grid = 0.5 * grid + 0.25 * (tf.roll(grid, 1, 0) + tf.roll(grid, -1, 0))
        grid = grid - tf.reduce_mean(grid)
    return grid


result = relax(tf.reshape(tf.range(36.0), [6, 6]))
