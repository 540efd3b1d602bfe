# for: both
# fidelity: tolerance
import tensorflow as tf


def power(a, r):
    _, r = tf.while_loop(lambda i, r: i < 300, lambda i, r: (i + 1, tf.tanh(r @ a) * 0.5 + r), (0, r))
    return r


def settled(a, r, turns: int):
    bias = tf.ones([100, 100])

    # half of it, and more
    def step(i, state):
        # not too much
        scaled = state * 0.5  # beside

        state = tf.tanh(scaled @ a) + bias
        return i + 1, state

    _, last = tf.while_loop(
        lambda i, state: i < turns,
        step,
        (0, r),
        shape_invariants=(tf.TensorShape([]), r.shape),
        parallel_iterations=10,
    )
    return last + bias


def weighted(x):
    def unfinished(k, x):
        return k < 300

    def weigh(k, x):
        if k % 2 == 0:
            x = x * 0.5
        return k + 1, x + tf.cast(k, tf.float32)

    k, x = tf.while_loop(unfinished, weigh, [tf.constant(0), x])
    return x * tf.cast(k, tf.float32)


def small(x):
    (x,) = tf.while_loop(lambda x: tf.reduce_sum(x) > 0.001, lambda x: [x * 0.5], [x])
    return x


matrix = tf.reshape(tf.range(10000.0), [100, 100]) / 10000.0
result = (
    power(matrix, matrix),
    settled(matrix, matrix, 70),
    settled(matrix, matrix, 0),
    weighted(matrix),
    small(matrix),
)
