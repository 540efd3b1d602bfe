# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def swallowed(x):
    parts = []  # refused: list_reduce: the error of a sum might be caught
    for i in range(20):
        try:
            parts.append(tf.square(x)[: 100 - i // 19])
        except tf.errors.InvalidArgumentError:
            pass
    return sum(parts)


def printed(x):
    parts = []  # refused: list_reduce: would come before what later iterations do
    for i in range(20):
        print("turn", i)
        parts.append(tf.square(x)[: 100 - i // 19])
    return sum(parts)


x = tf.ones([200, 200])
try:
    swallowed(x)
except tf.errors.InvalidArgumentError:
    print("shapes differ")
try:
    printed(x)
except tf.errors.InvalidArgumentError:
    print("shapes differ")
