"""Blocks of 100 series, in a loop that XLA compiles: only a block's forecasts have to be turned."""

import tensorflow as tf


BLOCK = 100


@tf.function(jit_compile=True)
def holt(series, alpha=0.3, beta=0.1):
    count, steps = series.shape

    def forecast(block):
        rows = tf.slice(series, [block * BLOCK, 0], [BLOCK, steps])

        def step(t, level, trend, forecasts):
            forecasts = forecasts.write(t - 1, level + trend)
            previous = level
            level = alpha * rows[:, t] + (1 - alpha) * (level + trend)
            return t + 1, level, beta * (level - previous) + (1 - beta) * trend, forecasts

        forecasts = tf.TensorArray(tf.float32, size=steps - 1, element_shape=[BLOCK])
        start = (1, rows[:, 0], rows[:, 1] - rows[:, 0], forecasts)
        forecasts = tf.while_loop(lambda t, *_: t < steps, step, start, maximum_iterations=steps - 1)[-1]
        forecasts = tf.transpose(tf.ensure_shape(forecasts.stack(), [steps - 1, BLOCK]))
        return forecasts, tf.reduce_mean(tf.abs(forecasts - rows[:, 1:]))

    forecasts, errors = tf.map_fn(forecast, tf.range(count // BLOCK), fn_output_signature=(tf.float32, tf.float32))
    return tf.reshape(forecasts, [count, steps - 1]), tf.reduce_mean(errors)


series = tf.cumsum(tf.random.normal([2000, 250], seed=1), axis=1)

forecasts, error = holt(series)
