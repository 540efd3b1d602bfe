# fidelity: tolerance
import tensorflow as tf


def moving_average(signal, window):
    length = signal.shape[0] - window + 1
    shifted = []
    for offset in range(window):
        shifted.append(signal[offset : offset + length])
    return tf.reduce_mean(tf.stack(shifted), axis=0)


def folded(signal):
    parts = []
    for i in range(8):
        parts.append(signal[i * 10000 : (i + 1) * 10000])
    return tf.add_n(parts)


def in_steps(signal):
    parts = []
    for start in range(0, 80000, 10000):
        parts.append(signal[start : 10000 + start])
    return tf.add_n(parts)


signal = tf.range(80000.0) / 80000.0
result = moving_average(signal, 8), folded(signal), in_steps(signal)
