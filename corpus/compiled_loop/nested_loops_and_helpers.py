# for: both
# fidelity: tolerance
import tensorflow as tf


def diffuse(grid):
    return 0.6 * grid + 0.2 * (tf.roll(grid, 1, 0) + tf.roll(grid, -1, 0))


def evolve(grid):
    for outer in range(60):
        for inner in range(3):
            grid = diffuse(grid)
        grid = grid - tf.reduce_mean(grid)
    return grid


result = evolve(tf.reshape(tf.range(16.0), [4, 4]))
