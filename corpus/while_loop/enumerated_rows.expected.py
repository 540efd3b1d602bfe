# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def discounted(rewards):
    value = tf.zeros([])

    def one_step(step, value):
        reward = rewards[step]
        value = value * 0.9 + reward - tf.cast(step, tf.float32)
        return step + 1, value

    _, value = tf.while_loop(
        lambda step, value: step < rewards.shape[0],
        one_step,
        (0, value),
        shape_invariants=(tf.TensorShape([]), value.shape),
        maximum_iterations=rewards.shape[0],
        parallel_iterations=1,
    )
    return value


result = discounted(tf.random.normal([50]))
