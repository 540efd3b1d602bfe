# for: both
import tensorflow as tf

import logging

old = logging.getLogRecordFactory()


def factory(*args, **kwargs):
    record = old(*args, **kwargs)
    print(record.getMessage()[-1])
    return record


logging.setLogRecordFactory(factory)


def run(x, b):
    for _ in range(200):
        x = x * 0.9 + b
    return x


logging.warning("%s", float(tf.reduce_sum(run(tf.sin(tf.range(300.0)), tf.cos(tf.range(300.0))))))
logging.setLogRecordFactory(old)
