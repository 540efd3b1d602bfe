import tensorflow as tf


@tf.function
def products(x, n):
    total = tf.zeros_like(x)
    for i in tf.range(n):
        total += tf.matmul(x, x * tf.cast(i, x.dtype))  # refused: parallel_iterations: is more than arithmetic
    return total


@tf.function
def sums(x, n):
    total = tf.zeros([])
    for i in tf.range(n):
        scaled = x * tf.cast(i, x.dtype)
        total += tf.reduce_sum(scaled)  # refused: parallel_iterations: is more than arithmetic
    return total


@tf.function
def sorted_rows(x, n):
    total = tf.zeros_like(x)
    for i in tf.range(n):
        total += tf.sort(x + tf.cast(i, x.dtype))  # refused: parallel_iterations: is more than arithmetic
    return total


def helped(x):
    return tf.cumsum(x)


@tf.function
def by_a_helper(x, n):
    total = tf.zeros_like(x)
    for i in tf.range(n):
        total += helped(x + tf.cast(i, x.dtype))  # refused: parallel_iterations: is more than arithmetic
    return total


@tf.function
def drawn(x, n):
    total = tf.zeros_like(x)
    for i in tf.range(n):
        total += x * tf.cast(i, x.dtype) + 0.0 * tf.random.normal([20000])  # refused: parallel_iterations: is more than arithmetic
    return total


x = tf.linspace(0.0, 1.0, 20000)
square = tf.reshape(tf.linspace(0.0, 1.0, 22500), [150, 150])
result = products(square, 5), sums(x, 5), sorted_rows(x, 5), by_a_helper(x, 5), drawn(x, 5)
