import tensorflow as tf
from tensorflow import GradientTape as Tape

x = tf.constant([1.0, 2.0, 3.0])


def slope(x):
    with Tape(persistent=True, watch_accessed_variables=False) as tape:
        tape.watch(x)
        y = x**3
    return tape.gradient(y, x)


def slope_again(x):
    with tf.GradientTape(
        watch_accessed_variables=False,
        persistent=True,
    ) as tape:
        tape.watch(x)
        y = x**3
    if tf.reduce_sum(y) > 100:
        return None
    return tape.gradient(y, x)


with tf.GradientTape(
    persistent=True
) as tape:
    tape.watch(x)
    y = x * x

result = [slope(x), slope_again(x), tape.gradient(y, x)]
