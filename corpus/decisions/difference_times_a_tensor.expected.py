# for: both
import tensorflow as tf


@tf.function
def _run_loop(b, x):
    def step(i, x):
        x = x * 0.9 + b
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 200,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=200,
        parallel_iterations=1,
    )
    return x


def run(x, b):
    x = _run_loop(b, x)
    return x


x = run(tf.zeros([2000]), tf.fill([2000], 0.37))
gain = tf.linspace(1.0, 900.0, 2000)
print(((x - 3.7) * gain * gain)[1990:])
