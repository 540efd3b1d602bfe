# tfrewrite: off=compiled_loop,while_loop
# peak at most: 0.4
import tensorflow as tf


def both(x, steps):
    waves, errors = [], []
    for i in range(steps):
        waves.append(tf.sin(x + float(i)))
        errors.append(
            # how far from its neighbour
            tf.cos(x) * float(i)
            - x
        )
    mean = sum(errors) / len(errors) if steps else None
    return sum(waves), mean


def nested(x, rows):
    sums = []
    for row in rows:
        parts = []
        for factor in row:
            if factor < 0:
                break
            parts.append(x * factor)
        sums.append(tf.square(sum(parts)))
    return sum(sums)


x = tf.reshape(tf.range(40000.0), [200, 200]) / 40000.0
results = [both(x, 0), both(x, 1), both(x, 20), nested(x, [[1.0, 2.0, 3.0], [4.0, -1.0, 2.0]]), nested(x, [])]
