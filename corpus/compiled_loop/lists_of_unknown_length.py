# for: both
# fidelity: tolerance
"""How many members a list gets is seen while the loop runs: the first is there in any case."""
import tensorflow as tf


def until(x):
    path = [x]
    while tf.reduce_max(tf.abs(x)) > 0.01:
        x = x * 0.9
        path.append(x)
    return tf.stack(path)


def breaks_off(x, n):
    path = []
    for i in range(n):
        x = x * 0.9
        path.append(x)  # before the loop is left
        if tf.reduce_max(x) < 0.1:
            break
    return tf.stack(path), len(path), path[-1]


def in_some_turns(x):
    kept = [x]
    for i in range(60):
        x = x * 0.9
        if i % 3 == 0:
            kept.append(x)
            kept.append(x + 1.0)
        elif tf.reduce_sum(x) < 0.2:
            x = x + 0.1
    return tf.concat(kept, 0)


def summed_in_some_turns(x):
    terms = [x]
    for i in range(60):
        x = x * 0.9
        if i % 3 == 0:
            terms.append(x)
        if tf.reduce_sum(x) < 0.2:
            break
    return sum(terms)


def two_in_a_turn(x):
    terms = []
    for i in range(60):
        x = x * 0.9
        terms.append(x)
        terms.append(x * 2.0)
    return tf.add_n(terms)


x = tf.constant([1.0, 0.5])
result = until(x), until(x * 0.0), breaks_off(x, 50), breaks_off(x, 3), in_some_turns(x), summed_in_some_turns(x), two_in_a_turn(x)
