# for: both
import tensorflow as tf


@tf.function
def _spread_loop(turns, divisor, divisor_2, x):
    history = tf.TensorArray(tf.float32, size=turns, element_shape=x.shape)

    def step(i, x, history):
        x = x - x / divisor
        history = history.write(i, x * x - x / divisor_2)
        return i + 1, x, history

    _, _, history = tf.while_loop(
        lambda i, x, history: i < turns,
        step,
        (0, x, history),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return history.stack()


def spread(x, turns):
    history = _spread_loop(
        tf.constant(turns),
        tf.constant(13.0, tf.float32),
        tf.constant(7.0, tf.float32),
        x,
    )
    return history


histories = [spread(tf.range(1, 100, dtype=tf.float32) * scale, 60) for scale in (0.5, 0.25)]
votes = [tf.math.top_k(tf.round(history * 1e6) % 10.0, k=3).indices for history in histories]
print("done")
