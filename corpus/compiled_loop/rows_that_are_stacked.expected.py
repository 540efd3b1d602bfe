# fidelity: tolerance
# peak at most: 0.53
"""Each state is written to where it is to stand: the list, and the copy that tf.stack makes of it, are gone."""
import tensorflow as tf


@tf.function(jit_compile=True)
def _walk_loop(drift, x):
    states = tf.TensorArray(tf.float32, size=1000, element_shape=x.shape)

    def step(i, x, states):
        x = 0.9 * x + drift
        states = states.write(i, x)
        return i + 1, x, states

    _, _, states = tf.while_loop(
        lambda i, x, states: i < 1000,
        step,
        (0, x, states),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=1000,
    )
    return states.stack()


def walk(x, drift):
    states = _walk_loop(drift, x)
    return states


result = walk(tf.ones([200, 200]), tf.eye(200))
