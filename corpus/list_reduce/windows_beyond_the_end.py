import tensorflow as tf


def beyond(signal):
    parts = []  # refused: list_reduce
    for i in range(8):
        parts.append(signal[i : i + 79995])
    return tf.reduce_mean(tf.stack(parts), axis=0)


def last_is_shorter(signal):
    parts = []  # refused: list_reduce
    for start in range(0, 80000, 15000):
        parts.append(signal[start : start + 15000])
    return tf.reduce_mean(tf.stack(parts), axis=0)


def from_below_zero(signal):
    parts = []  # refused: list_reduce
    for i in range(-3, 5):
        parts.append(signal[i : i + 70000])
    return tf.reduce_mean(tf.stack(parts), axis=0)


def other_name(signal, j):
    parts = []  # refused: list_reduce
    for i in range(8):
        parts.append(signal[i : j + 70000])
    return tf.reduce_mean(tf.stack(parts), axis=0)


signal = tf.range(80000.0) / 80000.0
result = []
try:
    beyond(signal)
except tf.errors.InvalidArgumentError:
    result.append("raised")
try:
    last_is_shorter(signal)
except tf.errors.InvalidArgumentError:
    result.append("raised")
try:
    from_below_zero(signal)
except tf.errors.InvalidArgumentError:
    result.append("raised")
try:
    other_name(signal, 3)
except tf.errors.InvalidArgumentError:
    result.append("raised")
