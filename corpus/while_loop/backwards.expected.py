# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def returns(rewards):
    value = tf.zeros([2])

    def step(j, value):
        reward = rewards[rewards.shape[0] - 1 - j]
        value = reward + 0.99 * value
        return j + 1, value

    _, value = tf.while_loop(
        lambda j, value: j < rewards.shape[0],
        step,
        (0, value),
        shape_invariants=(tf.TensorShape([]), value.shape),
        maximum_iterations=rewards.shape[0],
        parallel_iterations=1,
    )

    def one_step(i, value):
        value = value + rewards[i]
        return i - 1, value

    _, value = tf.while_loop(
        lambda i, value: i > -1,
        one_step,
        (89, value),
        shape_invariants=(tf.TensorShape([]), value.shape),
        maximum_iterations=90,
        parallel_iterations=1,
    )
    return value


result = returns(tf.random.normal([90, 2]))
