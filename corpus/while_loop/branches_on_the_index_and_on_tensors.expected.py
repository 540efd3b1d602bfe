# fidelity: tolerance
import tensorflow as tf


@tf.function
def damped(x, limit):
    velocity = tf.zeros_like(x)

    def step(i, velocity, x):
        if i < 10:
            velocity += 0.1
        elif tf.reduce_sum(x) > limit:
            velocity = -0.5 * velocity
        else:
            velocity = velocity * 0.99
        x = x + velocity * 0.01
        return i + 1, velocity, x

    _, velocity, x = tf.while_loop(
        lambda i, velocity, x: i < 100,
        step,
        (0, velocity, x),
        shape_invariants=(tf.TensorShape([]), velocity.shape, x.shape),
        maximum_iterations=100,
        parallel_iterations=1,
    )
    return x, velocity


result = damped(tf.ones([3]), tf.constant(4.0))
