import tensorflow as tf


@tf.function
def over_a_list(x):
    for k in [0.1] * 90:
        x = x + k
    return x


@tf.function
def from_one(x, rows):
    for i, row in enumerate(tf.unstack(rows), 1):  # refused: while_loop: enumerate counts from another number than 0
        x = x + row * i
    return x


@tf.function
def columns(x, rows):
    for column in tf.unstack(rows, axis=1):  # refused: while_loop: 2 iterations are too few to pay for a loop in the graph
        x = x + tf.reduce_sum(column)
    return x


@tf.function
def backwards_by_two(x):
    for i in reversed(range(0, 60, 2)):  # refused: while_loop: only a range of step 1, or the rows of a tensor
        x = x * 0.5 + i
    return x


@tf.function
def by_steps(x, step):
    for i in range(0, 60, step):  # refused: while_loop: the step of the range is not known to be a number other than 0
        x = x * 0.5 + i
    return x


@tf.function
def as_many_as(x, rows):
    for i in range(int(tf.get_static_value(tf.size(rows)))):  # refused: while_loop: is read from a tensor or a variable
        x = x * 0.5 + i
    return x


@tf.function
def computed(x, rows):
    for row in tf.unstack(rows * 2.0):  # refused: while_loop: rows * 2.0 would be computed again for every row
        x = x + row
    return x


@tf.function
def moved(x, rows):
    for row in tf.unstack(rows):  # refused: while_loop: rows, which the loop runs over, is assigned another value by it
        x = x + row
        rows = rows * 0.5
    return x


@tf.function
def last_row(x, rows):
    for row in tf.unstack(rows):  # refused: while_loop: row, a row, is assigned another value in the loop or read after it
        x = x + row
    return x + row


@tf.function
def unequal(x, rows, others):
    for row, other in zip(tf.unstack(rows), tf.unstack(others)):  # refused: while_loop: are not known to have equally many rows
        x = x + row * other
    return x


x, rows = tf.ones([2]), tf.ones([90, 2])
result = over_a_list(x), from_one(x, rows), columns(x, rows), backwards_by_two(x), by_steps(x, 2), by_steps(x, 3), as_many_as(x, rows)
again = computed(x, rows), moved(x, rows), last_row(x, rows), unequal(x, rows, tf.ones([80, 2]))
