# fidelity: tolerance
import tensorflow as tf


@tf.function
def relax(grid):
    def step(sweep, grid):
        def inner_step(axis_shift, grid):
            grid = 0.5 * grid + 0.25 * (tf.roll(grid, 1, 0) + tf.roll(grid, -1, 0))
            return axis_shift + 1, grid

        _, grid = tf.while_loop(
            lambda axis_shift, grid: axis_shift < 3,
            inner_step,
            (1, grid),
            shape_invariants=(tf.TensorShape([]), grid.shape),
            maximum_iterations=2,
        )
        grid = grid - tf.reduce_mean(grid)
        return sweep + 1, grid

    _, grid = tf.while_loop(
        lambda sweep, grid: sweep < 25,
        step,
        (0, grid),
        shape_invariants=(tf.TensorShape([]), grid.shape),
        maximum_iterations=25,
        parallel_iterations=1,
    )
    return grid


result = relax(tf.reshape(tf.range(36.0), [6, 6]))
