import tensorflow as tf


def leaves_first(x):
    path = []
    for i in range(60):
        if tf.reduce_max(x) < 0.1:
            break
        x = x * 0.9
        path.append(x)  # refused: compiled_loop: the loop may break off, and then path has fewer elements than iterations, and perhaps none at all
    return tf.stack(path)


def in_some_turns(x):
    terms = []
    for i in range(60):
        x = x * 0.9
        if tf.reduce_max(x) < 0.1:
            terms.append(x)  # refused: compiled_loop: terms is appended to in some iterations only, and perhaps none at all
    return sum(terms)


def of_two_shapes(x):
    rows = []
    for i in range(60):
        x = x * 0.9
        rows.append(x)
        rows.append(tf.reduce_sum(x))  # refused: compiled_loop: what is appended to rows is not known to be alike every time
    return rows[3], rows[-1], len(rows), rows[0]


def asked_for(x):
    path = []
    while tf.reduce_max(tf.abs(x)) > 0.1:
        x = x * 0.9
        path.append(x)
    return tf.stack(path), path[3]  # refused: compiled_loop: path[3] is not known to be there


x = tf.constant([1.0, 0.5])
result = leaves_first(x), in_some_turns(x), of_two_shapes(x), asked_for(x)
