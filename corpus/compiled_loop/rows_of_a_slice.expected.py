# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _smoothed_loop(rows, alpha, out):
    out = tf.TensorArray(tf.float32, size=rows.shape[0] + 1, element_shape=[], clear_after_read=False).write(0, out[0])

    def step(i, out):
        value = rows[i]
        out = out.write(i + 1, tf.cast(alpha, value.dtype) * value + tf.cast(1 - alpha, tf.float32) * out.read(i))
        return i + 1, out

    _, out = tf.while_loop(
        lambda i, out: i < rows.shape[0],
        step,
        (0, out),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=rows.shape[0],
    )
    return out.stack()


def smoothed(series, alpha=0.1):
    out = [series[0]]
    out = _smoothed_loop(series[1:], tf.constant(alpha, tf.float64), out)
    return out


@tf.function(jit_compile=True)
def _summed_loop(rows, total):
    def one_step(step, total):
        row = rows[step]
        total = tf.tanh(total[:3] + row * tf.cast(step, row.dtype))  # as many as the slice is wide
        return step + 1, total

    _, total = tf.while_loop(
        lambda step, total: step < rows.shape[0],
        one_step,
        (0, total),
        shape_invariants=(tf.TensorShape([]), total.shape),
        maximum_iterations=rows.shape[0],
    )
    return total


def summed(table):
    total = tf.zeros_like(table[0])
    total = _summed_loop(table[2:, :3], total)
    return total


series = tf.random.normal([200], seed=4)
result = smoothed(series), summed(tf.random.normal([60, 3], seed=5))
