# for: both
import tensorflow as tf


@tf.function
def _draws_loop(turns, seed):
    numbers = tf.TensorArray(tf.float32, size=turns, element_shape=seed.shape)

    def step(i, seed, numbers):
        seed = (seed * 16.807 + 0.1) % 1.0
        numbers = numbers.write(i, seed)
        return i + 1, seed, numbers

    _, _, numbers = tf.while_loop(
        lambda i, seed, numbers: i < turns,
        step,
        (0, seed, numbers),
        shape_invariants=(tf.TensorShape([]), seed.shape, tf.TensorShape(None)),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return numbers.stack()


def draws(seed, turns):
    numbers = _draws_loop(tf.constant(turns), seed)
    return numbers


numbers = draws(tf.range(1, 33, dtype=tf.float32) / 33.0, 60)
heads = int(tf.math.count_nonzero(numbers > 0.5))
print("done")
