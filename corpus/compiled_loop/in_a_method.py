# for: both
# fidelity: tolerance
import tensorflow as tf


class Chain:
    """A walk over four places."""

    def __init__(self):
        self.transition = tf.eye(4) * 0.9 + 0.025

    def stationary(self):
        state = tf.constant([[1.0, 0.0, 0.0, 0.0]])
        for _ in range(100):
            state = tf.matmul(state, self.transition)
        return state


chain = Chain()
result = chain.stationary()
del chain
