# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _rollout_loop(policy, state):
    returns = tf.TensorArray(tf.float32, size=64, element_shape=[])
    losses = tf.TensorArray(tf.float32, size=64, element_shape=state.shape)

    def step(t, state, returns, losses):
        action = tf.tanh(tf.matmul(state, policy))
        state = 0.9 * state + action
        returns = returns.write(t, tf.reduce_sum(state))
        losses = losses.write(t, tf.square(action))
        return t + 1, state, returns, losses

    _, state, returns, losses = tf.while_loop(
        lambda t, state, returns, losses: t < 64,
        step,
        (0, state, returns, losses),
        shape_invariants=(tf.TensorShape([]), state.shape, tf.TensorShape(None), tf.TensorShape(None)),
        maximum_iterations=64,
    )
    return state, returns.stack(), losses.concat()


def rollout(state, policy):
    state, returns, losses = _rollout_loop(policy, state)
    return returns, losses, state


result = rollout(tf.ones([1, 4]), tf.eye(4))
