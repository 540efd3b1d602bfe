# fidelity: tolerance
import tensorflow as tf

ONE = 1.0


@tf.function
def layout(x):  # type: (tf.Tensor) -> tf.Tensor
    def step(i, x):
        x = x + \
            ONE; x = x * 0.5
        y = tf.add(
            x,
            1.0,
        )
        x = (y
             - 0.5)
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 90,
        step,
        (2, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=88,
        parallel_iterations=1,
    )
    return x


result = layout(tf.ones([2]))
