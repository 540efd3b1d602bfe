import numpy as np
import tensorflow as tf


def by_keras():
    images = np.ones((8, 80, 80, 3), np.float32)

    @tf.function
    def pick(ids):
        return tf.gather(images, ids)

    first = pick(tf.constant([1]))
    scaled = tf.keras.applications.mobilenet_v2.preprocess_input(images)  # refused: captured_array: may change images
    return first, scaled, pick(tf.constant([1, 2]))


def by_nest():
    table = np.ones((20000,), np.float32)

    @tf.function
    def pick(ids):
        return tf.gather(table, ids)

    first = pick(tf.constant([1]))
    tf.nest.flatten([table])[0][1] = 4.0  # refused: captured_array: may change table
    return first, pick(tf.constant([1, 2]))


def by_what_shares_its_memory():
    table = np.ones((20000,), np.float32)

    @tf.function
    def pick(ids):
        return tf.gather(table, ids)

    alias = np.array(table, copy=False)  # refused: captured_array: may change table
    alias[1] = 7.0
    return pick(tf.constant([1]))


def given_what_shares_its_memory(values):
    table = np.array(np.ones((20000,), np.float32), copy=False)  # refused: captured_array: may share its memory

    @tf.function
    def pick(ids):
        return tf.gather(table, ids)

    return pick(tf.constant([1]))


def by_a_second_argument():
    table = np.ones((20000,), np.float32)
    other = np.full((20000,), 2.0, np.float32)

    @tf.function
    def pick(ids):
        return tf.gather(table, ids)

    first = pick(tf.constant([1]))
    np.exp(other, table)  # refused: captured_array: may change table
    return first, pick(tf.constant([1, 2]))


def sorted_for_a_median():
    table = np.arange(20000.0)

    @tf.function
    def pick(ids):
        return tf.gather(table, ids)

    first = pick(tf.constant([1]))
    middle = np.median(table, overwrite_input=True)  # refused: captured_array: may change table
    return first, middle, pick(tf.constant([1, 2]))


results = by_keras(), by_nest(), by_what_shares_its_memory(), given_what_shares_its_memory([1.0]), by_a_second_argument()
median = sorted_for_a_median()
