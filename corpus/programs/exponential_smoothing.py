# for: both
# fidelity: tolerance
"""Holt's exponential smoothing: a level and a trend for each of 2000 series, and what they foretell."""

import tensorflow as tf


def holt(series, alpha=0.3, beta=0.1):
    level = series[:, 0]
    trend = series[:, 1] - series[:, 0]
    forecasts = []
    for t in range(1, series.shape[1]):
        forecasts.append(level + trend)
        previous = level
        level = alpha * series[:, t] + (1 - alpha) * (level + trend)
        trend = beta * (level - previous) + (1 - beta) * trend
    forecasts = tf.stack(forecasts, axis=1)
    error = tf.reduce_mean(tf.abs(forecasts - series[:, 1:]))
    return forecasts, error


series = tf.cumsum(tf.random.normal([2000, 250], seed=1), axis=1)

forecasts, error = holt(series)
