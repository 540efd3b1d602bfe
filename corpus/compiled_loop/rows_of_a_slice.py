# for: both
# fidelity: tolerance
import tensorflow as tf


def smoothed(series, alpha=0.1):
    out = [series[0]]
    for value in series[1:]:
        out.append(alpha * value + (1 - alpha) * out[-1])
    return tf.stack(out)


def summed(table):
    total = tf.zeros_like(table[0])
    for step, row in enumerate(table[2:, :3]):
        total = tf.tanh(total[:3] + row * step)  # as many as the slice is wide
    return total


series = tf.random.normal([200], seed=4)
result = smoothed(series), summed(tf.random.normal([60, 3], seed=5))
