# for: both
import tensorflow as tf


@tf.function
def _waves_loop(steps, x):
    found = tf.TensorArray(tf.float32, size=steps, element_shape=x.shape)

    def step(i, found):
        found = found.write(i, tf.sin(x * tf.cast(tf.cast(i, tf.float64), x.dtype)))
        return i + 1, found

    _, found = tf.while_loop(
        lambda i, found: i < steps,
        step,
        (0, found),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=steps,
        parallel_iterations=1,
    )
    return found.stack()


def waves(x, steps):
    found = []
    if steps > 0:
        found = _waves_loop(tf.constant(steps), x)
    return tf.reduce_mean(tf.stack(found), axis=0)


x = tf.reshape(tf.range(40000.0), [200, 200]) / 40000.0
above = [int(tf.math.count_nonzero(tf.round(waves(x, steps) * 1e6) % 2.0)) for steps in (20, 30)]
print("done")
