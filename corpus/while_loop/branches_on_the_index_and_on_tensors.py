# fidelity: tolerance
import tensorflow as tf


@tf.function
def damped(x, limit):
    velocity = tf.zeros_like(x)
    for i in range(100):
        if i < 10:
            velocity += 0.1
        elif tf.reduce_sum(x) > limit:
            velocity = -0.5 * velocity
        else:
            velocity = velocity * 0.99
        x = x + velocity * 0.01
    return x, velocity


result = damped(tf.ones([3]), tf.constant(4.0))
