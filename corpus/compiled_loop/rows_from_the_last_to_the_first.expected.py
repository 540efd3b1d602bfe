# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _returns_loop(rewards, discount, value):
    values = tf.TensorArray(tf.float32, size=rewards.shape[0], element_shape=value.shape)

    def step(i, value, values):
        reward = rewards[rewards.shape[0] - 1 - i]
        value = reward + discount * value
        values = values.write(i, value)
        return i + 1, value, values

    _, _, values = tf.while_loop(
        lambda i, value, values: i < rewards.shape[0],
        step,
        (0, value, values),
        shape_invariants=(tf.TensorShape([]), value.shape, tf.TensorShape(None)),
        maximum_iterations=rewards.shape[0],
    )
    return values.stack()


def returns(rewards, discount):
    value = tf.zeros([4])
    values = _returns_loop(rewards, tf.constant(discount), value)
    return values


result = returns(tf.random.normal([70, 4]), 0.99)
