# for: both
# fidelity: tolerance
"""Holt's exponential smoothing: a level and a trend for each of 2000 series, and what they foretell."""

import tensorflow as tf


@tf.function(jit_compile=True)
def _holt_loop(series, alpha, beta, level, trend):
    forecasts = tf.TensorArray(tf.float32, size=series.shape[1] - 1, element_shape=level.shape)

    def step(t, level, trend, forecasts):
        forecasts = forecasts.write(t - 1, level + trend)
        previous = level
        level = tf.cast(alpha, tf.float32) * series[:, t] + tf.cast(1 - alpha, tf.float32) * (level + trend)
        trend = tf.cast(beta, tf.float32) * (level - previous) + tf.cast(1 - beta, trend.dtype) * trend
        return t + 1, level, trend, forecasts

    _, _, _, forecasts = tf.while_loop(
        lambda t, level, trend, forecasts: t < series.shape[1],
        step,
        (1, level, trend, forecasts),
        shape_invariants=(tf.TensorShape([]), level.shape, trend.shape, tf.TensorShape(None)),
        maximum_iterations=series.shape[1] - 1,
    )
    return forecasts.stack()


def holt(series, alpha=0.3, beta=0.1):
    level = series[:, 0]
    trend = series[:, 1] - series[:, 0]
    forecasts = _holt_loop(
        series,
        tf.constant(alpha, tf.float64),
        tf.constant(beta, tf.float64),
        level,
        trend,
    )
    forecasts = tf.transpose(forecasts, [1, 0])
    error = tf.reduce_mean(tf.abs(forecasts - series[:, 1:]))
    return forecasts, error


series = tf.cumsum(tf.random.normal([2000, 250], seed=1), axis=1)

forecasts, error = holt(series)
