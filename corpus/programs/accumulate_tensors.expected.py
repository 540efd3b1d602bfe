# raises in a graph
"""Results of a loop of the graph that are collected in a Python list, and stacked."""
import tensorflow as tf


@tf.function
def accumulate_tensors(x, count):
    results = tf.TensorArray(tf.float32, size=count, element_shape=x.shape)

    def step(i, results):
        results = results.write(i, x + tf.cast(i, x.dtype))
        return i + 1, results

    _, results = tf.while_loop(
        lambda i, results: i < count,
        step,
        (0, results),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=count,
        parallel_iterations=1,
    )
    return results.stack()


x = tf.fill([100, 100], 0.5)
count = tf.constant(100)
stacked = accumulate_tensors(x, count)
