# raises in a graph
"""AutoGraph makes loops of the graph of these, and what a list collects in one is out of reach after it."""
import tensorflow as tf


@tf.function
def accumulate_tensors(x, count):
    tf.debugging.assert_positive(count)
    results = tf.TensorArray(x.dtype, size=count, element_shape=x.shape)

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


@tf.function
def of_each_row(rows: tf.Tensor, w):
    h = tf.zeros([2])
    sums = tf.TensorArray(tf.float32, size=tf.shape(rows)[0], element_shape=[])
    states = tf.TensorArray(tf.float32, size=tf.shape(rows)[0], element_shape=h.shape)

    def step(i, h, sums, states):
        h = tf.tanh(h * w + rows[i])
        sums = sums.write(i, tf.reduce_sum(h) / tf.cast(i + 1, tf.float32))
        states = states.write(i, h)
        return i + 1, h, sums, states

    _, h, sums, states = tf.while_loop(
        lambda i, h, sums, states: i < tf.shape(rows)[0],
        step,
        (0, h, sums, states),
        shape_invariants=(tf.TensorShape([]), h.shape, tf.TensorShape(None), tf.TensorShape(None)),
        maximum_iterations=tf.shape(rows)[0],
        parallel_iterations=1,
    )
    return sums.stack(), states.concat(), h


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def doubled(rows):
    tf.debugging.assert_positive(tf.shape(rows)[0])
    out = tf.TensorArray(tf.float32, size=tf.shape(rows)[0], element_shape=rows.shape[1:])

    def step(i, out):
        row = rows[i]
        out = out.write(i, row * 2.0)  # a row more
        return i + 1, out

    _, out = tf.while_loop(
        lambda i, out: i < tf.shape(rows)[0],
        step,
        (0, out),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=tf.shape(rows)[0],
        parallel_iterations=1,
    )
    out = out.stack()
    return tf.reduce_mean(out, 0)


@tf.function
def steps_of_two(x, first: int, last: int):
    # every second one
    out = tf.TensorArray(tf.float32, size=(last - first + 1) // 2 + 1, element_shape=x.shape).write(0, x)

    def step(i, x, out):
        x = x * 0.5 + tf.cast(i / 4, tf.float32)
        out = out.write((i - first) // 2 + 1, x)
        return i + 2, x, out

    _, _, out = tf.while_loop(
        lambda i, x, out: i < last,
        step,
        (first, x, out),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=(last - first + 1) // 2,
        parallel_iterations=1,
    )
    out = out.stack()
    return out, out[-1]


rows = tf.constant([[1.0, 2.0], [3.0, 4.0], [0.5, 0.25]])
accumulated = [accumulate_tensors(tf.constant([1.0, 2.0]), tf.constant(count)) for count in (1, 4)]
kept = accumulate_tensors(tf.constant([1.0, 2.0], tf.float64), tf.constant(3))
each = of_each_row(rows, tf.constant([0.5, 0.1]))
twice = doubled(rows)
stepped = steps_of_two(tf.constant([1.0, 2.0]), 1, 6)
