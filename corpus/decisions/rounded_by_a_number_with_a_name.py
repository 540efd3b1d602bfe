# for: both
import tensorflow as tf

COARSE = 1e8


def quantised(prices, turns):
    total = tf.zeros_like(prices)
    for _ in range(turns):  # refused: numpy_loop: prices may be anything before the loop: NumPy warns on stderr where a number overflows or isn't one, and TensorFlow is silent
        raised = prices + COARSE
        total = total + (raised - COARSE)
        prices = prices + 0.7
    return total


total = quantised(tf.range(200, dtype=tf.float32), 60)
levels = len(tf.unique(total).y)
print("done")
