# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def begun(x):
    path = [x, x + 1.0]
    for i in range(70):
        path.append(path[-1] * 0.9 + i)
    return tf.stack(path)


@tf.function(jit_compile=True)
def after_it(x):
    path = []
    for i in range(70, 0, -1):
        x = x + 0.5
        path.append(tf.sin(x))
        x = x + path[-1]
    return tf.stack(path)


x = tf.constant([1.0, 0.5])
result = begun(x), after_it(x)
