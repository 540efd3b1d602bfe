# fidelity: tolerance
# peak at most: 0.45
"""XLA writes each state to where it is to stand; of an unrolled loop it keeps all of them, and then copies them."""
import tensorflow as tf


@tf.function(jit_compile=True)
def walk(x, drift):
    states = []
    for _ in range(40):
        x = 0.9 * x + drift
        states.append(x)
    return tf.stack(states)


result = walk(tf.ones([300, 300]), tf.eye(300))
