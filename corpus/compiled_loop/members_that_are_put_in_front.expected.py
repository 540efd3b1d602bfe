# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _backward_loop(rewards, discount, value):
    values = tf.TensorArray(tf.float32, size=100, element_shape=value.shape)

    def step(t, value, values):
        value = rewards[t] + discount * value
        values = values.write(t, value)
        return t - 1, value, values

    _, _, values = tf.while_loop(
        lambda t, value, values: t > -1,
        step,
        (99, value, values),
        shape_invariants=(tf.TensorShape([]), value.shape, tf.TensorShape(None)),
        maximum_iterations=100,
    )
    return values.stack()


def backward(rewards, discount):
    value = tf.zeros_like(rewards[0])
    values = _backward_loop(rewards, tf.constant(discount), value)
    return values


@tf.function(jit_compile=True)
def _forward_loop(rewards, discount, value):
    values = tf.TensorArray(tf.float32, size=57, element_shape=value.shape)

    def step(t, value, values):
        value = rewards[t] + discount * value
        values = values.write(
            59 - t,  # the last one comes first
            value,
        )
        return t + 1, value, values

    _, _, values = tf.while_loop(
        lambda t, value, values: t < 60,
        step,
        (3, value, values),
        shape_invariants=(tf.TensorShape([]), value.shape, tf.TensorShape(None)),
        maximum_iterations=57,
    )
    return values.stack()


def forward(rewards, discount):
    value = tf.zeros_like(rewards[0])
    values = _forward_loop(rewards, tf.constant(discount), value)
    return tf.transpose(values, [1, 0])


rewards = tf.random.normal([100, 8], seed=1)
result = backward(rewards, 0.9), forward(rewards, 0.9)
