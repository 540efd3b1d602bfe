import tensorflow as tf


@tf.function
def large(x):
    for i in range(300):
        x = x * 0.5 + i**4  # refused: while_loop: may not fit in 32 bits
    return x


@tf.function
def power(x):
    for i in range(60):
        x = x * 0.5 + 2**i  # refused: while_loop: 2**i may be too large, or raise, where a tensor gives something else
    return x


result = large(tf.ones([2])), power(tf.ones([2]))
