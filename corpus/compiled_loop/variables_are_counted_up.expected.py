# for: both
# fidelity: tolerance
import tensorflow as tf

total = tf.Variable(tf.zeros([2]))


@tf.function(jit_compile=True)
def _accumulate_loop(total, x):
    def step(i, x):
        x = tf.sin(x)
        total.assign_add(x)
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 64,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=64,
    )
    return x


def accumulate(x):
    x = _accumulate_loop(total, x)
    return x


result = accumulate(tf.ones([2]))
