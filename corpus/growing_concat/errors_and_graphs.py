# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def printed(x):
    rows = tf.zeros([0, 50])
    for i in range(5):
        print("turn", i)
        rows = tf.concat([rows, x * float(i)], 0)  # refused: growing_concat: what is joined is not known to fit
    return rows


def caught(x):
    rows = tf.zeros([0, 50])
    for i in range(5):
        try:
            rows = tf.concat([rows, x * float(i)], 0)  # refused: growing_concat: the loop is in a with or try block
        except tf.errors.InvalidArgumentError:
            pass
    return rows


@tf.function
def in_a_graph(x):
    rows = tf.zeros([0, 100])
    for i in range(5):
        rows = tf.concat([rows, x * float(i)], 0)  # refused: growing_concat: it is not known to run eagerly
    return rows


def in_both(x):
    rows = tf.zeros([0, 100])
    for i in range(5):
        rows = tf.concat([rows, x * float(i)], 0)  # refused: growing_concat: it is not known to run eagerly
    return rows


@tf.function
def calls(x):
    return in_both(x)


def not_called(x):
    rows = tf.zeros([0, 100])
    for i in range(5):
        rows = tf.concat([rows, x * float(i)], 0)  # refused: growing_concat: it is not known to run eagerly
    return rows


x = tf.ones([100, 100])
results = [caught(x), in_a_graph(x), in_both(x), calls(x)]
try:
    printed(x)
except tf.errors.InvalidArgumentError:
    print("does not fit")


def outside_of_the_tape(v):
    rows = tf.zeros([0, 100])
    with tf.GradientTape() as tape:
        for i in range(5):
            rows = tf.concat([rows, v * float(i)], 0)  # refused: growing_concat: the loop is in a with or try block
    return tape.gradient(rows, v)


def drawn(x):
    rows = tf.zeros([0, 100])
    for i in range(5):
        rows = tf.concat([tf.random.normal([100, 100]), x, rows], 0)  # refused: growing_concat: computed in another order
    return rows


gradient = outside_of_the_tape(tf.Variable(x))
numbers = drawn(x)
