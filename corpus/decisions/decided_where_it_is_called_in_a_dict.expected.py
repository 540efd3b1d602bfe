# for: both
import tensorflow as tf


@tf.function
def _simulate_loop(turns, divisor, x, y):
    def step(i, x, y):
        x, y = x + y / divisor, y - x / divisor
        return i + 1, x, y

    _, x, y = tf.while_loop(
        lambda i, x, y: i < turns,
        step,
        (0, x, y),
        shape_invariants=(tf.TensorShape([]), x.shape, y.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return x, y


def simulate(x, turns):
    y = x
    x, y = _simulate_loop(tf.constant(turns), tf.constant(11.0, tf.float32), x, y)
    return {"x": x, "energy": x * x + y * y}


found = simulate(tf.range(200, dtype=tf.float32) * 0.1, 60)
levels = {name: tf.cast(value * 1000.0, tf.int32) for name, value in found.items()}
print("done")
