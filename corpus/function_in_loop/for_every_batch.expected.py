"""Each call of smooth made and traced a function of its own."""

# peak at most: 0.7
import tensorflow as tf

WEIGHT = 0.5


# The mean of neighbours, and what comes of it.
@tf.function
def average(x):
    y = x * 2.0
    # several steps, so that the graph has some size
    y = tf.where(tf.tanh(y) > x, y + x * WEIGHT, x)  # x is small
    y = tf.nn.softmax(tf.exp(-tf.square(y)) + tf.abs(x))
    return (y[1:] + y[:-1]) / 2.0


def smooth(batch):
    rows = average(batch)
    return rows


def run():
    total = 0.0
    for number in range(12):
        total += float(tf.reduce_sum(smooth(tf.ones([10, 4]) * number)))
    return total


total = run()
