# fidelity: tolerance
# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def seen_in_the_next_turn(x, rounds):
    for step in range(rounds):
        waves = []
        for i in range(10):
            waves.append(tf.sin(x * float(i + step)))
        if step == 2:
            break
        total = tf.add_n(waves)
    return total


def read_at_once(x, rounds):
    largest = x
    for step in range(rounds):
        waves = []
        for i in range(10):
            waves.append(tf.cos(x * float(i + step)))
        total = tf.add_n(waves)
        largest = tf.maximum(largest, total)
    return largest


def only_the_first(x, steps):
    parts = [x]
    for i in range(steps):
        parts.append(x * float(i))
    return sum(parts)


x = tf.reshape(tf.range(10000.0), [100, 100]) / 10000.0
results = [seen_in_the_next_turn(x, 4), read_at_once(x, 3), only_the_first(x, 0), only_the_first(x, 10)]
