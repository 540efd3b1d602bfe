# for: both
import numpy as np
import tensorflow as tf


def slack(prices, turns):
    left = tf.zeros_like(prices)
    for _ in range(turns):  # refused: compiled_loop: `np.argmax(result.numpy())` depends on a value that is rounded differently
        left = left + (prices - prices / 41.0 * 41.0)
        prices = prices + 1.0
    return left


result = slack(tf.range(400, dtype=tf.float32), 60)
first = np.argmax(result.numpy())
print("done")
