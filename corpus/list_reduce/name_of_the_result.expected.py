# fidelity: tolerance
# tfrewrite: off=compiled_loop,while_loop
import tensorflow as tf


def seen_in_the_next_turn(x, rounds):
    for step in range(rounds):
        total_of_waves = 0.0
        for i in range(10):
            total_of_waves += tf.sin(x * float(i + step))
        if step == 2:
            break
        total = total_of_waves
    return total


def read_at_once(x, rounds):
    largest = x
    for step in range(rounds):
        total = 0.0
        for i in range(10):
            total += tf.cos(x * float(i + step))
        largest = tf.maximum(largest, total)
    return largest


def only_the_first(x, steps):
    parts = [x]
    for i in range(steps):
        parts.append(x * float(i))
        parts = [sum(parts)]
    return sum(parts)


x = tf.reshape(tf.range(10000.0), [100, 100]) / 10000.0
results = [seen_in_the_next_turn(x, 4), read_at_once(x, 3), only_the_first(x, 0), only_the_first(x, 10)]
