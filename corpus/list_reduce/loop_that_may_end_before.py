# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def broken_off(x, limit):
    waves = []
    for i in range(20):
        if i > limit:
            break
        waves.append(tf.sin(x + float(i)))
    if len(waves) == 0:  # the list is asked in another way than if not waves
        return x
    return tf.add_n(waves)


def caught(x, rows):
    try:
        waves = []  # refused: list_reduce: waves is used elsewhere
        for row in rows:
            waves.append(tf.sin(x + row))
    finally:
        total = sum(waves)
    return total


x = tf.ones([100, 100])
results = [broken_off(x, 5), broken_off(x, -1), caught(x, [1.0, 2.0, 3.0, 4.0])]
