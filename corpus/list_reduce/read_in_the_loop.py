# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def changes(x):
    waves = []
    for i in range(20):
        waves.append(tf.sin(x + float(i)))
        if len(waves) > 1 and i % 2:  # refused: list_reduce: waves is read while it is still appended to
            x = x + waves[-2]
    return tf.add_n(waves)


result = changes(tf.ones([200, 200]))
