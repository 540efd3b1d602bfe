import numpy as np
import tensorflow as tf


def run(change):
    table = np.zeros((2000, 10))

    @tf.function
    def look_up(ids, trace):
        return tf.gather(table, ids) + trace

    first = look_up(tf.constant([1]), 1.0)
    change(table)  # refused: captured_array: may change table
    return first, look_up(tf.constant([1]), 2.0)


def in_place():
    table = np.zeros((2000, 10))

    @tf.function
    def look_up(ids, trace):
        return tf.gather(table, ids) + trace

    first = look_up(tf.constant([1]), 1.0)
    table[1] = 5.0  # refused: captured_array: may change table
    return first, look_up(tf.constant([1]), 2.0)


def by_a_view():
    table = np.zeros((2000, 10))
    row = table[1]  # refused: captured_array: may change table

    @tf.function
    def look_up(ids, trace):
        return tf.gather(table, ids) + trace

    row += 1.0
    return look_up(tf.constant([1]), 2.0)


def by_numpy():
    table = np.arange(20000.0)
    np.random.shuffle(table)  # refused: captured_array: may change table

    @tf.function
    def look_up(ids):
        return tf.gather(table, ids)

    return look_up(tf.constant([1]))


results = run(lambda table: table.fill(3.0)), in_place(), by_a_view(), by_numpy()
