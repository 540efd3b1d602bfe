# for: both
# fidelity: tolerance
import tensorflow as tf


def search(x):
    hits = 0
    total = 0.0
    for i in range(100):
        x = x * 1.01
        total += 0.1
        hits += 1
    return x, i, hits, total


result = search(tf.ones([2]))
