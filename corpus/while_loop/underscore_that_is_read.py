# for: both
# fidelity: tolerance
import tensorflow as tf


def _(text):
    return text.upper()


@tf.function
def settle(x):
    for i in range(90):
        x = x * 0.9
    return tf.debugging.check_numerics(x, _("not a number"))


@tf.function
def search(x, last: int):
    for _ in range(90):
        x = x * 0.9
        if _ > last:
            break
    return x


result = settle(tf.ones([2])), search(tf.ones([2]), 70)
