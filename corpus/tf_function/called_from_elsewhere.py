import tensorflow as tf


def recorded(x):  # refused: tf_function: a tape may record recorded
    y = tf.square(tf.ones([1000, 1000])) + x
    return y * 2.0


def inlined(x):  # refused: tf_function: inlined may be part of another graph
    y = tf.square(tf.ones([1000, 1000])) + x
    return y * 2.0


def handed(x):  # refused: tf_function: handed is passed to something
    y = tf.square(tf.ones([1000, 1000])) + x
    return y * 2.0


@tf.function
def compiled(x):
    return inlined(x) * 2.0


def both(x):
    return inlined(x), compiled(x)


x = tf.fill([1000, 1000], 0.5)
for step in range(2):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = recorded(x)
    gradient = tape.gradient(y, x)
    pair = both(x)
    same = [one(x) for one in (handed, tf.exp)]
    again = handed(x), recorded(x), inlined(x)
