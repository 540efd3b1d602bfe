import numpy as np
import tensorflow as tf

seen = []
scale = 1.0
data = np.ones([3], np.float32)


@tf.function
def prints(x, k):
    print("traced")
    return x * k


@tf.function
def appends(x, k):
    seen.append(1)
    return x * k


@tf.function
def draws(x, k):
    return x * k + tf.random.normal([3])


@tf.function
def reads_a_global(x, k):
    return x * k * scale


@tf.function
def reads_an_array(x, k):
    return x * k + data


class Counter:
    def __init__(self):
        self.calls = 0
        self.rate = 1.0

    @tf.function
    def counts(self, x, k):
        self.calls += 1
        return x * k

    @tf.function
    def reads(self, x, k):
        return x * k * self.rate


def run():
    x = tf.ones([3])
    counter = Counter()
    for i in range(8):
        counter.rate = 2.0 * i
        counter.counts(x, i)  # refused: retraced_argument: it sets self.calls, each time that it is traced
        counter.reads(x, i)  # refused: retraced_argument: self.rate is read when it is traced, and is assigned another value later
    return counter.calls


calls = run()
x = tf.ones([3])
for i in range(8):
    scale *= 0.5
    data[0] = i
    prints(x, i)  # refused: retraced_argument: it prints, each time that it is traced
    appends(x, i)  # refused: retraced_argument: seen is a list, which may have been changed
    draws(x, i)  # refused: retraced_argument: begins with the same random numbers
    reads_a_global(x, i)  # refused: retraced_argument: scale is assigned more than one value
    reads_an_array(x, i)  # refused: retraced_argument: data is a NumPy array, which may have been changed
