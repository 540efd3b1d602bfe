# for: both
# fidelity: tolerance
"""Lists with first members, sums of lists, and tensors that grow: one turn is enough for each of them."""
import tensorflow as tf


@tf.function
def begun(x):
    rows = [x, x + 1.0]
    for i in range(90):
        x = x * 0.9
        rows.append(x)
    return tf.stack(rows)


@tf.function
def downwards(x):
    rows = [x]
    for i in range(90, 0, -1):
        x = x * 0.9 + i
        rows.append(x)
    return tf.stack(rows, axis=1)


@tf.function(jit_compile=True)
def in_steps(x):
    rows = [x]
    for i in range(2, 200, 2):
        x = x * 0.9 + i
        rows.append(x)
    return tf.concat(rows, 0)


@tf.function
def added(x):
    terms = []
    for i in range(90):
        x = x * 0.9
        terms.append(
            tf.sin(x)  # of this turn
        )
    total = tf.add_n(terms)
    return total * 2.0


@tf.function
def added_to(x):
    terms = [x]
    for i in range(90):
        x = x * 0.9
        terms.append(tf.sin(x))
    return x, sum(terms)


@tf.function
def grown(x):
    rows = tf.zeros([1, 3])
    for i in range(90):
        x = x * 0.9
        rows = tf.concat([rows, x[tf.newaxis]], 0)
    return tf.reshape(rows, [rows.shape[0], 3])


@tf.function(jit_compile=True)
def grown_from_nothing(x):
    pairs = tf.zeros([0, 3])
    for i in range(90):
        x = x * 0.9
        pairs = tf.concat([pairs, tf.stack([x, x + i])], axis=0)  # two at once
    return pairs


x = tf.ones([3])
result = begun(x), downwards(x), in_steps(x), added(x), added_to(x), grown(x), grown_from_nothing(x)
