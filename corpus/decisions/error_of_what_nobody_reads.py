# for: both
import tensorflow as tf


def run(x, table, ids, n):
    for _ in range(n):
        valid = tf.gather(table, ids)  # refused: compiled_loop: nothing reads tf.gather(table, ids): a graph leaves it out, and with it the error that it may raise
        x = x * 0.9 + 0.1
    return x


try:
    out = run(tf.range(100.0), tf.range(50.0), tf.constant([60]), 60)
    print("fine")
except tf.errors.InvalidArgumentError:
    print("the table is too short")
