import tensorflow as tf


@tf.function
def twice(x):
    rows = []
    for i in range(90):  # refused: while_loop: rows is joined in several ways
        x = x * 0.9
        rows.append(x)
    return tf.stack(rows), tf.concat(rows, 0)


@tf.function
def counted(x):
    rows = []
    for i in range(90):
        x = x * 0.9
        rows.append(x)
        before = rows  # refused: while_loop: rows is read while it is appended to
    return tf.stack(before)


@tf.function
def handed_on(x):
    rows = []
    for i in range(90):
        x = x * 0.9
        rows.append(x)
    return rows  # refused: while_loop: rows is used in another way than to join it


@tf.function
def sometimes(x):
    rows = []
    for i in range(90):
        x = x * 0.9
        if i % 3 == 0:
            rows.append(x)  # refused: while_loop: rows is appended to in some iterations only
    return tf.stack(rows)


@tf.function
def unless(x):
    rows = []
    for i in range(90):
        x = x * 0.9
        if i % 3 == 0:
            continue
        rows.append(x)  # refused: while_loop: rows is appended to in some iterations only
    return tf.stack(rows)


@tf.function
def both(x):
    rows = []
    for i in range(90):
        x = x * 0.9
        rows.append(x)  # refused: while_loop: rows is appended to more than once in an iteration
        rows.append(-x)
    return tf.stack(rows)


@tf.function
def until(x):
    rows = []
    for i in range(90):
        x = x * 0.9
        rows.append(x)  # refused: while_loop: the loop may break off, and then rows has fewer elements than iterations
        if i == 25:
            break
    return tf.stack(rows)


@tf.function
def begun(x):
    rows = [tf.reduce_sum(x)]  # refused: while_loop: what rows begins with is not known to be like what is appended to it
    for i in range(90):
        x = x * 0.9
        rows.append(x)
    return rows[0] * rows[-1], tf.stack(rows[1:])


@tf.function
def begun_with_all(x, others):
    rows = [*others]
    for i in range(90):  # refused: while_loop: rows is not known to be a list of this function's own, and what it holds
        x = x * 0.9
        rows.append(x)
    return tf.stack(rows)


@tf.function
def begun_with_another(x):
    rows = [tf.reduce_sum(x)]  # refused: while_loop: what rows begins with is not known to be like what is appended to it
    for i in range(90):
        x = x * 0.9
        rows.append(x)
    return len(rows), rows[0], rows[-1]


@tf.function
def again(x):
    rows = []
    for i in range(90):
        x = x * 0.9
        rows.append(x)
    for j in range(2):
        x = x + tf.reduce_sum(tf.stack(rows))  # refused: while_loop: rows is joined in another loop
    return x


@tf.function
def never(x):
    rows = []
    for i in range(90):  # refused: while_loop: rows is never joined
        x = x * 0.9
        rows.append(x)
    return x


x = tf.ones([2])
joined = twice(x), counted(x), handed_on(x), again(x), never(x)
appended = sometimes(x), unless(x), both(x), until(x), begun(x), begun_with_all(x, [x]), begun_with_another(x)
