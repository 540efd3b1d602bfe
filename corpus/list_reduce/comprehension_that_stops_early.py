# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def taken(x, numbers):
    rest = iter(numbers)
    return sum([x * next(rest) for _ in range(20)])  # refused: list_reduce: next() may raise StopIteration


result = taken(tf.ones([100, 100]), [float(i) for i in range(20)])
