import tensorflow as tf


def settle(x):
    total = 0.0
    for _ in range(90):  # refused: compiled_loop: total is a Python number after the loop, and in a graph it would be a tensor
        x = tf.tanh(x)
        total += 0.5
    return x * total


@tf.function
def compiled(x):
    return settle(x) + 1.0


result = settle(tf.ones([2])), compiled(tf.ones([2]))
