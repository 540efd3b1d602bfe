# for: both
import tensorflow as tf


def unshift(t):
    return t - 1e8  # refused: compiled_loop: t - 1e8: compilers add numbers up before they add them to a tensor: (x + 1e8) - 1e8 is x to them


def evolve(x, n):
    for i in range(n):
        x = unshift(x + 1e8)
    return x


result = evolve(tf.range(1000.0) / 1000.0, 60)
print(float(tf.reduce_sum(result)))
