# for: both
# fidelity: tolerance
"""A number that is asked for its truth is compared in a graph."""
import tensorflow as tf


def odd(x):
    for i in range(60):
        if i % 2:
            x = x * 0.9
        else:
            x = x + 0.1
    return x


def falsy(x):
    k = 3
    for i in range(60):
        if not k:
            x = x * 0.9
            k = 3
        elif i and tf.reduce_sum(x) > 0.5:
            x = x - 0.01 if i % 3 else x
        k -= 1
    return x


def down(x, n):
    while n:
        x = x * 0.9
        n -= 1
    return x


def down2(x, n):
    while n and tf.reduce_sum(x) > 0.1:
        x = x * 0.9
        n -= 1
    return x, n


def beside_a_tensor(x, n):
    for i in range(60):
        if tf.reduce_sum(x) > 0.1 and n:  # refused: compiled_loop: n is not known to be a single bool
            x = x * 0.9
    return x


x = tf.constant([1.0, 0.5])
result = odd(x), falsy(x), down(x, 60), down(x, 0), down2(x, 60), beside_a_tensor(x, 3), beside_a_tensor(x, 0)
