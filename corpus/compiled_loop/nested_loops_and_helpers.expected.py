# for: both
# fidelity: tolerance
import tensorflow as tf


def diffuse(grid):
    return 0.6 * grid + 0.2 * (tf.roll(grid, 1, 0) + tf.roll(grid, -1, 0))


@tf.function(jit_compile=True)
def _evolve_loop(grid):
    def step(outer, grid):
        def inner_step(inner, grid):
            grid = diffuse(grid)
            return inner + 1, grid

        _, grid = tf.while_loop(
            lambda inner, grid: inner < 3,
            inner_step,
            (0, grid),
            shape_invariants=(tf.TensorShape([]), grid.shape),
            maximum_iterations=3,
        )
        grid = grid - tf.reduce_mean(grid)
        return outer + 1, grid

    _, grid = tf.while_loop(
        lambda outer, grid: outer < 60,
        step,
        (0, grid),
        shape_invariants=(tf.TensorShape([]), grid.shape),
        maximum_iterations=60,
    )
    return grid


def evolve(grid):
    grid = _evolve_loop(grid)
    return grid


result = evolve(tf.reshape(tf.range(16.0), [4, 4]))
