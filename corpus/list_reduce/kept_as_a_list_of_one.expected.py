# fidelity: tolerance
# tfrewrite: off=compiled_loop,while_loop
# peak at most: 0.6
import tensorflow as tf


def summed(x, steps):
    terms = []
    for i in range(steps):
        terms.append(tf.sin(x + float(i)))
        terms = [tf.add_n(terms)]
    return tf.add_n(terms)  # which raises where there is none


def summed_or_zero(x, steps):
    terms = []
    for i in range(steps):
        if i % 3:
            terms.append(tf.sin(x + float(i)))
            terms = [tf.add_n(terms)]
    if not terms:
        return tf.zeros_like(x)
    return tf.add_n(terms)


def of_doubles(x, steps):
    found = []
    for i in range(steps):
        found.append(tf.cast(x, tf.float64) * float(i))
        found = [tf.reduce_sum(tf.stack(found), axis=0)]
        if i == 3:
            break
    return tf.reduce_sum(tf.stack(found), axis=0)


x = tf.reshape(tf.range(40000.0), [200, 200]) / 40000.0
results = [summed_or_zero(x, steps) for steps in (0, 1, 12)]
results += [(summed(x, steps), of_doubles(x, steps)) for steps in (1, 5, 30)]
try:
    summed(x, 0)
except ValueError as error:
    caught = type(error).__name__
