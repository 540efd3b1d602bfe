# for: both
import tensorflow as tf


@tf.function
def _solve_loop(rate, target, x):
    def step(i, x):
        x = x - rate * (x - target)
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 100,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=100,
        parallel_iterations=1,
    )
    return x


def solver(rate):
    def solve():
        x, target = tf.zeros([2]), tf.ones([2])
        x = _solve_loop(tf.constant(rate), target, x)
        return x

    return solve


solve = solver(0.1)
result = solve()
