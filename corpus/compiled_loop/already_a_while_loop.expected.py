# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _power_loop(a, r):
    def step(i, r):
        r = tf.tanh(r @ a) * 0.5 + r
        return i + 1, r

    _, r = tf.while_loop(
        lambda i, r: i < 300,
        step,
        (0, r),
        shape_invariants=(tf.TensorShape([]), r.shape),
        maximum_iterations=300,
    )
    return r


def power(a, r):
    r = _power_loop(a, r)
    return r


@tf.function(jit_compile=True)
def _settled_loop(turns, a, bias, state):
    def step(i, state):
        # not too much
        scaled = state * 0.5  # beside

        state = tf.tanh(scaled @ a) + bias
        return i + 1, state

    _, state = tf.while_loop(
        lambda i, state: i < turns,
        step,
        (0, state),
        shape_invariants=(tf.TensorShape([]), state.shape),
        maximum_iterations=turns,
    )
    return state


def settled(a, r, turns: int):
    bias = tf.ones([100, 100])

    # half of it, and more
    state = r
    if turns > 0:
        state = _settled_loop(tf.constant(turns, tf.int32), a, bias, state)
    last = state
    return last + bias


@tf.function(jit_compile=True)
def _weighted_loop(x, k):
    def step(x, k):
        if k % 2 == 0:
            x = x * 0.5
        k, x = k + 1, x + tf.cast(k, tf.float32)
        return x, k

    x, k = tf.while_loop(lambda x, k: k < 300, step, (x, k), shape_invariants=(x.shape, k.shape))
    return x, k


def weighted(x):
    k = tf.constant(0)
    if k < 300:
        x, k = _weighted_loop(x, k)
    return x * tf.cast(k, tf.float32)


@tf.function(jit_compile=True)
def _small_loop(x):
    def step(x):
        x = x * 0.5
        return (x,)

    (x,) = tf.while_loop(
        lambda x: tf.reduce_sum(x) > 0.001,
        step,
        (x,),
        shape_invariants=(x.shape,),
    )
    return x


def small(x):
    if tf.reduce_sum(x) > 0.001:
        x = _small_loop(x)
    return x


matrix = tf.reshape(tf.range(10000.0), [100, 100]) / 10000.0
result = (
    power(matrix, matrix),
    settled(matrix, matrix, 70),
    settled(matrix, matrix, 0),
    weighted(matrix),
    small(matrix),
)
