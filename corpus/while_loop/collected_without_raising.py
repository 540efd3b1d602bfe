"""What was there before the loop is appended while the graph is made, once: nothing raises, and that is what the program means."""
import tensorflow as tf


@tf.function
def itself(x, n):
    out = []
    for i in tf.range(n):
        out.append(x)  # refused: while_loop: x may be there before the loop: then a graph appends it once
    return tf.stack(out)


@tf.function
def handed_through(x, n):
    out = []
    for i in tf.range(n):
        y = tf.cast(x, tf.float32)
        out.append(y)  # refused: while_loop: y may be there before the loop
    return tf.stack(out)


def the_same(x):
    return x


@tf.function
def by_a_helper(x, n):
    out = []
    for i in tf.range(n):
        out.append(the_same(x))  # refused: while_loop: the shape of what is appended to out is not known
    return tf.stack(out)


@tf.function
def counted(x, n):
    out = []  # refused: while_loop: it is not certain that out is joined after the loop
    for i in tf.range(n):
        out.append(x + 1.0)
    return len(out)


@tf.function
def on_request(x, n, whole: bool):
    out = []  # refused: while_loop: it is not certain that out is joined after the loop, and where it isn't nothing raises now
    for i in tf.range(n):
        x = x * 0.5
        out.append(x)
    return tf.stack(out) if whole else x


@tf.function
def one_of_two(x, n, whole: bool):
    out = []  # refused: while_loop: it is not certain that out is joined after the loop
    for i in tf.range(n):
        x = x * 0.5
        out.append(x)
    if not whole:
        return x
    return tf.stack(out)


@tf.function
def caught(x, n):
    out = []  # refused: while_loop: it is not certain that out is joined after the loop
    for i in tf.range(n):
        x = x * 0.5
        out.append(x)
    try:
        return tf.stack(out)
    except (TypeError, ValueError):
        return x


x = tf.constant([1.0, 2.0])
result = [one(x, tf.constant(3)) for one in (itself, handed_through, by_a_helper, counted, caught)]
again = on_request(x, tf.constant(3), False), one_of_two(x, tf.constant(0), False)
