# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _stationary_loop(transition, state):
    def step(i, state):
        state = tf.matmul(state, transition)
        return i + 1, state

    _, state = tf.while_loop(
        lambda i, state: i < 100,
        step,
        (0, state),
        shape_invariants=(tf.TensorShape([]), state.shape),
        maximum_iterations=100,
    )
    return state


class Chain:
    """A walk over four places."""

    def __init__(self):
        self.transition = tf.eye(4) * 0.9 + 0.025

    def stationary(self):
        state = tf.constant([[1.0, 0.0, 0.0, 0.0]])
        state = _stationary_loop(self.transition, state)
        return state


chain = Chain()
result = chain.stationary()
del chain
