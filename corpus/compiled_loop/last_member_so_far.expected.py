# for: both
# fidelity: tolerance
"""What a list held last is read from where it was written to."""
import tensorflow as tf


@tf.function(jit_compile=True)
def _begun_loop(x):
    path = tf.TensorArray(tf.float32, size=71, element_shape=[2], clear_after_read=False).write(0, x)

    def step(i, path):
        path = path.write(i + 1, path.read(i) * 0.9 + tf.cast(i, tf.float32))
        return i + 1, path

    _, path = tf.while_loop(
        lambda i, path: i < 70,
        step,
        (0, path),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None)),
        maximum_iterations=70,
    )
    return path.stack()


def begun(x):
    path = _begun_loop(x)
    return path


@tf.function(jit_compile=True)
def _after_it_loop(x):
    path = tf.TensorArray(tf.float32, size=34, element_shape=x.shape, clear_after_read=False)

    def step(i, x, path):
        x = x + 0.5
        path = path.write((i - 2) // 2, tf.sin(x))
        x = x + path.read((i - 2) // 2)
        return i + 2, x, path

    _, _, path = tf.while_loop(
        lambda i, x, path: i < 70,
        step,
        (2, x, path),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape(None)),
        maximum_iterations=34,
    )
    return path.stack()


def after_it(x):
    path = _after_it_loop(x)
    return path


def in_the_condition(x):
    path = [x]
    while tf.reduce_max(path[-1]) < 100.0:  # refused: compiled_loop: path is read while it is appended to
        path.append(path[-1] * 1.1)
    return tf.stack(path)


@tf.function
def _until_loop(x):
    path = tf.TensorArray(tf.float32, size=1, dynamic_size=True, element_shape=[2], clear_after_read=False).write(0, x)

    def step(i, path, done):
        new = path.read(path.size() - 1) * 1.1 - 0.1
        if tf.reduce_max(new) > 5.0:
            return i, path, True
        path = path.write(path.size(), new)
        return i + 1, path, False

    _, path, _ = tf.while_loop(
        lambda i, path, done: i < 60 and not done,
        step,
        (0, path, False),
        shape_invariants=(tf.TensorShape([]), tf.TensorShape(None), tf.TensorShape([])),
        maximum_iterations=60,
        parallel_iterations=1,
    )
    return path.stack()


def until(x):
    path = _until_loop(x)
    return path, path[-1]


def perhaps_none(x):
    path = []
    for i in range(60):
        if i > 0:
            x = x + path[-1]
        path.append(x * 0.5)  # refused: compiled_loop: the shape of what is appended to path is not known
    return tf.stack(path)


x = tf.constant([1.0, 0.5])
result = begun(x), after_it(x), in_the_condition(x), until(x), perhaps_none(x)
