# for: both
import tensorflow as tf


def run(x: tf.Tensor, steps: int):
    total = x[0]
    for _ in range(steps):
        total = total + x * 0.5
    return total


series = {"one": tf.ones([3]), "two": tf.ones([2, 3])}
for name in series:
    print(name, run(series[name], 60).shape, run(series[name], 0).shape)
