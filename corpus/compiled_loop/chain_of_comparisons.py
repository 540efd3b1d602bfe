import tensorflow as tf


def chained(x):
    for _ in range(90):
        if 0.1 < tf.reduce_sum(x) < 9.0:  # refused: compiled_loop: AutoGraph doesn't convert a chain of comparisons
            x = x * 0.9
    return x


result = chained(tf.ones([2]))
