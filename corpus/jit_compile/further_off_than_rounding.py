import tensorflow as tf


@tf.function
def undone(x):
    return tf.math.log(tf.exp(x)) * tf.exp(-x)  # refused: jit_compile: compilers cancel a logarithm and its inverse


@tf.function
def cancelled(x):
    return ((x + 1e8) - 1e8) * tf.exp(x) * tf.exp(-x)  # refused: jit_compile: compilers add numbers up


@tf.function
def of_itself(x):
    return (x / x) * tf.exp(x) + tf.exp(-x)  # refused: jit_compile: compilers know the result whatever the number is


@tf.function
def stepped(x):
    return tf.floor(1.0 / x) * tf.exp(x)  # refused: jit_compile: turns a rounding error into another integer


x = tf.fill([1000, 1000], 100.0)
results = [tf.reduce_mean(undone(x)) for _ in range(2)]
others = [(cancelled(x).shape, of_itself(x).shape, stepped(x).shape) for _ in range(2)]
