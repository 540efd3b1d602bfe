"""With functions run eagerly a list may be appended to in any loop."""
import tensorflow as tf

tf.config.run_functions_eagerly(True)


@tf.function
def multiples(x, n):
    out = []
    for i in tf.range(n):  # refused: while_loop: the file runs functions eagerly
        out.append(x * i)
    return tf.stack(out)


result = multiples(tf.constant([1, 2]), 3), multiples(tf.constant([1, 2]), 0)
