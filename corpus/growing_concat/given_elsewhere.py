# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf

kept = tf.zeros([0, 100])
for i in range(20):
    kept = tf.concat([kept, tf.ones([100, 100])], 0)  # refused: growing_concat: kept is a global name


def emptied(x):
    rows = tf.zeros([0, 100])
    for i in range(20):
        rows = tf.concat([rows, x * float(i)], 0)  # refused: growing_concat: rows is assigned elsewhere too
        if i == 10:
            rows = tf.zeros([0, 100])
    return rows


def first_turn(x):
    for i in range(20):
        if i == 0:
            rows = x
        else:
            rows = tf.concat([rows, x * float(i)], 0)  # refused: growing_concat: rows is not assigned in the loop's own block
    return rows


def argument(rows, x):
    for i in range(20):
        rows = tf.concat([rows, x * float(i)], 0)  # refused: growing_concat: rows is assigned elsewhere too
    return rows


def the_same_without_turns(x, turns):
    rows = x  # refused: growing_concat: without an iteration the name keeps its object
    for i in range(turns):
        rows = tf.concat([rows, x * float(i)], 0)
    return rows


def known_to_another(x):
    rows = tf.zeros([0, 100])
    length = lambda: rows.shape[0]
    for i in range(20):
        rows = tf.concat([rows, x * float(length())], 0)  # refused: growing_concat: rows is also known to an inner function
    return rows


x = tf.ones([100, 100])
same = the_same_without_turns(x, 0) is x
results = [emptied(x), first_turn(x), argument(x, x), the_same_without_turns(x, 4), known_to_another(x)]
