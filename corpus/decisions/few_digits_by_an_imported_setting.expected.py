# for: both
import numpy as np
from numpy import set_printoptions
import tensorflow as tf

set_printoptions(precision=0, suppress=True, threshold=100000)


@tf.function
def _run_loop(b, x, y):
    def step(i, x, y):
        y = x * 0.1 + b
        x = x + 1.0
        return i + 1, x, y

    _, _, y = tf.while_loop(
        lambda i, x, y: i < 200,
        step,
        (0, x, y),
        shape_invariants=(tf.TensorShape([]), x.shape, y.shape),
        maximum_iterations=200,
        parallel_iterations=1,
    )
    return y


def run(x, b):
    y = x
    y = _run_loop(b, x, y)
    return y


start = tf.range(4000.0) * 0.7
print(run(start, 0.5 - (start + 199.0) * 0.1).numpy())
set_printoptions(precision=8, suppress=False, threshold=1000)
