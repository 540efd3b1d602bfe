# for: both
import tensorflow as tf

import logging

old = logging.getLogRecordFactory()


def factory(*args, **kwargs):
    record = old(*args, **kwargs)
    print(record.getMessage()[-1])
    return record


logging.setLogRecordFactory(factory)


@tf.function
def _run_loop(b, x):
    def step(i, x):
        x = x * 0.9 + b
        return i + 1, x

    _, x = tf.while_loop(
        lambda i, x: i < 200,
        step,
        (0, x),
        shape_invariants=(tf.TensorShape([]), x.shape),
        maximum_iterations=200,
        parallel_iterations=1,
    )
    return x


def run(x, b):
    x = _run_loop(b, x)
    return x


logging.warning("%s", float(tf.reduce_sum(run(tf.sin(tf.range(300.0)), tf.cos(tf.range(300.0))))))
logging.setLogRecordFactory(old)
