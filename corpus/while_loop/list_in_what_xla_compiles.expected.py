# fidelity: tolerance
# peak at most: 0.45
"""XLA writes each state to where it is to stand; of an unrolled loop it keeps all of them, and then copies them."""
import tensorflow as tf


@tf.function(jit_compile=True)
def walk(x, drift):
    states = tf.TensorArray(tf.float32, size=40, element_shape=x.shape)

    def step(i, x, states):
        x = 0.9 * x + drift
        states = states.write(i, x)
        return i + 1, x, states

    _, _, states = tf.while_loop(
        lambda i, x, states: i < 40,
        step,
        (0, x, states),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=40,
    )
    return states.stack()


result = walk(tf.ones([300, 300]), tf.eye(300))
