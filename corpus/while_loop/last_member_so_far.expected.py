# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def begun(x):
    path = [x, x + 1.0]
    path = tf.TensorArray(tf.float32, size=72, element_shape=[2], clear_after_read=False).write(0, path[0]).write(1, path[1])

    def step(i, path):
        path = path.write(i + 2, path.read(i + 1) * 0.9 + tf.cast(i, tf.float32))
        return i + 1, path

    _, path = tf.while_loop(
        lambda i, path: i < 70,
        step,
        (0, path),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=70,
        parallel_iterations=1,
    )
    return path.stack()


@tf.function(jit_compile=True)
def after_it(x):
    path = tf.TensorArray(tf.float32, size=70, element_shape=x.shape, clear_after_read=False)

    def step(i, x, path):
        x = x + 0.5
        path = path.write(70 - i, tf.sin(x))
        x = x + path.read(70 - i)
        return i - 1, x, path

    _, _, path = tf.while_loop(
        lambda i, x, path: i > 0,
        step,
        (70, x, path),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=70,
    )
    return path.stack()


x = tf.constant([1.0, 0.5])
result = begun(x), after_it(x)
