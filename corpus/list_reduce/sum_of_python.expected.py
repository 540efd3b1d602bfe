# tfrewrite: off=compiled_loop,while_loop
# peak at most: 0.4
import tensorflow as tf


def both(x, steps):
    total, total_of_errors = 0, 0
    count = 0
    for i in range(steps):
        total += tf.sin(x + float(i))
        total_of_errors += (
            # how far from its neighbour
            tf.cos(x) * float(i)
            - x
        )
        count += 1
    mean = total_of_errors / count if steps else None
    return total, mean


def nested(x, rows):
    total = 0
    for row in rows:
        total_of_parts = 0
        for factor in row:
            if factor < 0:
                break
            total_of_parts += x * factor
        total += tf.square(total_of_parts)
    return total


x = tf.reshape(tf.range(40000.0), [200, 200]) / 40000.0
results = [both(x, 0), both(x, 1), both(x, 20), nested(x, [[1.0, 2.0, 3.0], [4.0, -1.0, 2.0]]), nested(x, [])]
