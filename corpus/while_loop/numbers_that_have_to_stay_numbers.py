import tensorflow as tf


@tf.function
def shape(x):
    size = 1
    for i in range(60):  # refused: while_loop: size is a Python number after the loop, and would be a tensor: size is needed as a Python number here
        x = x * 0.9
        size += 1
    return x, tf.zeros([size])


@tf.function
def text(x):
    count = 0
    for i in range(60):  # refused: while_loop: count is a Python number after the loop, and would be a tensor: count is needed as a Python number here
        x = x * 0.9
        count += 1
    tf.debugging.assert_greater(x, 0.0, f"after {count}")
    return x


@tf.function
def decided(x):
    count = 0
    for i in range(60):  # refused: while_loop: count is a Python number after the loop, and would be a tensor
        x = x * 0.9
        count += 1
    return x if [count] else -x


def helper(x):
    count = 0
    for i in range(60):  # refused: while_loop: count is a Python number after the loop, and would be a tensor
        x = x * 0.9
        count += 1
    return x, count


@tf.function
def outer(x):
    x, count = helper(x)
    return tf.zeros([count]) + x[0]


@tf.function
def in_a_loop(x):
    count = 0
    for _ in range(3):
        for i in range(60):  # refused: while_loop: count is a Python int that may grow without bound
            x = x * 0.9
            count += 1
        print(count)
    return x


@tf.function
def read_by_a_function(x):
    count = 0
    for i in range(60):  # refused: while_loop: count is a Python number after the loop, and would be a tensor
        x = x * 0.9
        count += 1
    kept = lambda: tf.zeros([count])
    return x[0] + kept()


x = tf.ones([3])
result = shape(x), text(x), decided(x), outer(x), in_a_loop(x), read_by_a_function(x)
