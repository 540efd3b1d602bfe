import tensorflow as tf

counted = tf.Variable(0.0)


@tf.function(autograph=False)
def skips(x):
    for i in range(90):
        if i == 7:
            continue  # refused: while_loop: an iteration ends early under a condition on tensors
        x = x * 0.9
    return x


@tf.function(autograph=False)
def several_shapes(x):
    for i in range(90):
        if i % 2 == 0:
            y = tf.reshape(x, [2, 1])  # refused: while_loop: y, assigned under a condition, is assigned another dtype or shape elsewhere in the loop
        else:
            y = tf.reshape(x, [1, 2])
        x = x + tf.reduce_sum(y)
    return x


@tf.function(autograph=False)
def several_dtypes(x):
    for i in range(90):
        if i % 2 == 0:
            y = tf.cast(x, tf.float64)  # refused: while_loop: y, assigned under a condition, is assigned another dtype or shape elsewhere in the loop
        else:
            y = x
        x = x + tf.cast(y, tf.float32)
    return x


@tf.function(autograph=False)
def only_effects(x):
    for i in range(90):
        if i % 2 == 0:
            counted.assign_add(1.0)  # refused: while_loop: counted.assign_add
        x = x + 1.0
    return x


def guarded(x, numbers):
    for i in range(90):
        if i < 5 and numbers[i] > 3:  # refused: while_loop: is only computed where the conditions before it allow it
            x = x * 0.9
        x = x + 1.0
    return x


@tf.function
def calls_guarded(x, numbers):
    return guarded(x, numbers)


@tf.function(autograph=False)
def numbers(x):
    for i in range(90):
        if i % 2 == 0:
            scale = 1.0  # refused: while_loop: scale, assigned under a condition
        else:
            scale = 0.5
        x = x * scale + 1.0
    return x


@tf.function(autograph=False)
def on_one_line(x):
    for i in range(90):
        if i % 2 == 0: x = x * 0.9  # refused: while_loop: a block is on the line of its condition
        x = x + 1.0
    return x


@tf.function(autograph=False)
def explained(x):
    for i in range(90):
        if (i > 3  # refused: while_loop: a comment is inside of a condition that moves
            # and not too late
            and i < 50):
            x = x * 0.9
        x = x + 1.0
    return x


@tf.function(autograph=False)
def of_both_kinds(x, early: bool):
    for i in range(90):
        if i % 2 == 0:
            x = x * 0.9
        elif early:  # refused: while_loop: of the conditions some are decided by Python, and some by tensors
            x = x + 0.5
        x = x + 1.0
    return x


result = (
    skips(tf.ones([2])),
    several_shapes(tf.ones([2])),
    several_dtypes(tf.ones([2])),
    only_effects(tf.ones([2])),
    calls_guarded(tf.ones([2]), tf.range(5)),
    numbers(tf.ones([2])),
    on_one_line(tf.ones([2])),
    explained(tf.ones([2])),
    of_both_kinds(tf.ones([2]), True),
)
