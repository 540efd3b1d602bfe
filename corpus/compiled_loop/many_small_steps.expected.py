# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _simulate_loop(drift, state):
    def one_step(step, state):
        state = tf.tanh(tf.matmul(state, drift) + state * 0.1)
        return step + 1, state

    _, state = tf.while_loop(
        lambda step, state: step < 1000,
        one_step,
        (0, state),
        shape_invariants=(tf.TensorShape([]), state.shape),
        maximum_iterations=1000,
    )
    return state


def simulate(state, drift):
    state = _simulate_loop(drift, state)
    return state


result = simulate(tf.ones([10, 10]), tf.eye(10) * 0.5)
