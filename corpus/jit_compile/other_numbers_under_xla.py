import tensorflow as tf


@tf.function
def clipped(x, y):
    joined = tf.exp(x) * tf.exp(y)
    return tf.maximum(joined, tf.exp(-y))  # refused: jit_compile: and XLA gives the other operand


@tf.function
def rows(x):
    picked = tf.gather(x, [1, 0])  # refused: jit_compile: an index out of range raises, and XLA takes another one
    return picked * tf.exp(picked)


@tf.function
def noisy(x):
    noise = tf.random.normal([1000, 1000])  # refused: jit_compile: draws other numbers
    return tf.exp(x) * tf.exp(noise)


x = tf.ones([1000, 1000])
results = [(clipped(x, x), rows(x)) for _ in range(2)]
drawn = [noisy(x).shape for _ in range(2)]
