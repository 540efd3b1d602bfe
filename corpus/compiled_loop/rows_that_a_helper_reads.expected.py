# for: both
# fidelity: tolerance
import tensorflow as tf

rates = tf.linspace(0.1, 0.9, 60)


def turned(x, t):
    return tf.tanh(x * rates[t] + rates[t - 1])


@tf.function
def _all_rows_loop(rates, x):
    def step(t, x):
        x = turned(x, t) * rates[t]
        return t + 1, x

    _, x = tf.while_loop(
        lambda t, x: t < 60,
        step,
        (1, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=59,
        parallel_iterations=1,
    )
    return x


def all_rows(x):
    x = _all_rows_loop(rates, x)
    return x


@tf.function(jit_compile=True)
def _backwards_loop(noise, rates, x):
    def step(t, x):
        x = tf.tanh(x + noise[0, t, :]) * rates[t]
        return t - 1, x

    _, x = tf.while_loop(
        lambda t, x: t > -1,
        step,
        (59, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=60,
    )
    return x


def backwards(x, noise):
    x = _backwards_loop(noise, rates, x)
    return x


@tf.function
def _from_the_end_loop(rates, x):
    def step(t, x):
        x = tf.tanh(x) * rates[-t]
        return t + 1, x

    _, x = tf.while_loop(
        lambda t, x: t < 60,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=60,
        parallel_iterations=1,
    )
    return x


def from_the_end(x):
    x = _from_the_end_loop(rates, x)
    return x


@tf.function
def _other_axis_loop(noise, x):
    def step(t, x):
        x = tf.tanh(x) * noise[..., t][0, t]
        return t + 1, x

    _, x = tf.while_loop(
        lambda t, x: t < 60,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=60,
        parallel_iterations=1,
    )
    return x


def other_axis(x, noise):
    x = _other_axis_loop(noise, x)
    return x


x = tf.linspace(-1.0, 1.0, 60)
noise = tf.reshape(tf.range(3600.0), [1, 60, 60]) / 3600.0
result = all_rows(x), backwards(x, noise), from_the_end(x), other_axis(x, noise)
