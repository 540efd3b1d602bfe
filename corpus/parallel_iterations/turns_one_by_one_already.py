import tensorflow as tf


@tf.function
def told(x, n):
    total = tf.zeros_like(x)
    for i in tf.range(n):
        tf.autograph.experimental.set_loop_options(parallel_iterations=2)
        total += x * tf.cast(i, x.dtype)
    return total


@tf.function
def ends_early(x, n):
    total = tf.zeros_like(x)
    for i in tf.range(n):
        total += x * tf.cast(i, x.dtype)
        if total[0] > 3.0:
            break
    return total


@tf.function(jit_compile=True)
def by_xla(x, n):
    total = tf.zeros_like(x)
    for i in tf.range(n):
        total += x * tf.cast(i, x.dtype)
    return total


@tf.function
def of_python(x):
    total = tf.zeros_like(x)
    for i in range(6):
        total += x * i
    return total


def eager(x, n):
    total = tf.zeros_like(x)
    for i in tf.range(n):
        total += x * tf.cast(i, x.dtype)
    return total


@tf.function
def taped(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        total = tf.zeros_like(x)
        for i in tf.range(6):
            total += x * tf.cast(i, x.dtype)
    return tape.gradient(total, x)


x = tf.linspace(0.0, 1.0, 20000)
result = told(x, 6), ends_early(x, 6), by_xla(x, 6), of_python(x), eager(x, 6), taped(x)
