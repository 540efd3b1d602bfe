# for: both
import tensorflow as tf


@tf.function(jit_compile=True)
def _halve_loop(x):
    def step(i, x):
        x = x / 2.0
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 145,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=145,
    )
    return x


def halve(x):
    x = _halve_loop(x)
    return x


print(float(tf.math.log(halve(tf.constant(1.0)))))
