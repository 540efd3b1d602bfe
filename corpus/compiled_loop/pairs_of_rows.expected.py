# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(jit_compile=True)
def _filtered_loop(signal, gains, out):
    def step(i, out):
        row = signal[i]
        gain = gains[i]
        out = 0.9 * out + row * gain
        return i + 1, out

    _, out = tf.while_loop(
        lambda i, out: i < signal.shape[0],
        step,
        (0, out),
        shape_invariants=(tf.TensorShape([]), out.shape),
        maximum_iterations=signal.shape[0],
    )
    return out


def filtered(signal, gains):
    out = tf.zeros([2])
    out = _filtered_loop(signal, gains, out)
    return out


@tf.function(jit_compile=True)
def _pairs_loop(signal, gains, out):
    def step(i, out):
        row = signal[i]
        gain = gains[i]
        out = 0.9 * out + row * gain
        return i + 1, out

    _, out = tf.while_loop(
        lambda i, out: i < signal.shape[0],
        step,
        (0, out),
        shape_invariants=(tf.TensorShape([]), out.shape),
        maximum_iterations=signal.shape[0],
    )
    return out


def pairs(signal, gains):
    out = tf.zeros([2])
    out = _pairs_loop(signal, gains, out)
    return out


result = filtered(tf.ones([70, 2]), tf.ones([70])), pairs(tf.ones([70, 2]), tf.ones([70]))
