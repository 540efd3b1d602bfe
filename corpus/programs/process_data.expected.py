"""An accumulator in a loop of the graph, which the Python int 100 ends."""
import tensorflow as tf


@tf.function
def process_data(x, n):
    accumulator = tf.zeros_like(x)
    for i in tf.range(n):
        tf.autograph.experimental.set_loop_options(parallel_iterations=1)
        accumulator += x * tf.cast(i, x.dtype)
    return accumulator


x = tf.fill([200, 200], 0.5)
result = process_data(x, 100)
