# for: both
import tensorflow as tf


def faded(x, turns):
    for _ in range(turns):  # refused: compiled_loop: `x * 0.9 + x * x * 0.001` may round off what is beside 100000
        x = x * 0.9 + x * x * 0.001
    return x


def watched(x, turns):
    left = faded(x, turns)

    def digit(place):
        return int(tf.reduce_sum(tf.cast(left * place, tf.int32) % 10))

    return digit


digit = watched(tf.range(90, 110, 0.01, dtype=tf.float32), 60)
alarms = digit(1e3), digit(1e5)
print("done")
