# for: both
# fidelity: tolerance
import tensorflow as t


@t.function
def decay(x):
    def step(i, x):
        x = x - x / t.cast(i + 1, x.dtype)
        return i + 1, x

    _, x = t.while_loop(
        lambda i, x: i < 64,
        step,
        (1, x),
        shape_invariants=(t.TensorShape([]), x.shape),
        maximum_iterations=63,
        parallel_iterations=1,
    )
    return x


result = decay(t.ones([4]))
