# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def returned(x):
    count = 0
    rate = 1.0

    def step(i, x, rate, count):
        x = x * tf.cast(rate, x.dtype)
        rate *= 0.999
        if i % 3 == 0:
            count += 2
        return i + 1, x, rate, count

    _, x, rate, count = tf.while_loop(
        lambda i, x, rate, count: i < 60,
        step,
        (0, x, tf.constant(rate, tf.float64), count),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([]), tf.TensorShape([])),
        maximum_iterations=60,
        parallel_iterations=1,
    )
    return x, count, tf.cast(rate, tf.float32)


@tf.function
def computed_with(x, n):
    steps = 0

    def step(i, x, steps):
        x = x * 0.5

        def inner_step(j, x, steps):
            x = x + 0.1
            steps += 1
            return j + 1, x, steps

        _, x, steps = tf.while_loop(
            lambda j, x, steps: j < 60,
            inner_step,
            (0, x, steps),
            shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([])),
            maximum_iterations=60,
        )
        return i + 1, x, steps

    _, x, steps = tf.while_loop(
        lambda i, x, steps: i < n,
        step,
        (0, x, steps),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([])),
        maximum_iterations=n,
        parallel_iterations=1,
    )
    y = x / tf.cast(steps + 1, x.dtype) + tf.cast(steps, tf.float32)
    return {"y": y * tf.cast(steps, y.dtype)}, [steps * 2]


@tf.function
def counted_down(x, n):
    left = n

    def step(x, left):
        x = x * 0.9
        left -= 1
        return x, left

    x, left = tf.while_loop(
        lambda x, left: left > 0,
        step,
        (x, left),
        shape_invariants=(x.shape, tf.TensorShape([])),
        parallel_iterations=1,
    )
    return x, left


x = tf.ones([3])
result = returned(x), computed_with(x, 40), computed_with(x, 0), counted_down(x, 70), counted_down(x, 0)
