# for: both
import tensorflow as tf

MAGIC = tf.constant(12582912.0)


def snapped(x, turns):
    total = tf.zeros_like(x)
    for _ in range(turns):  # refused: compiled_loop: `x * 1.7 + MAGIC - MAGIC` may round off what is beside 1.25829e+07
        total = total + (x * 1.7 + MAGIC - MAGIC)
        x = x + 0.5
    return total


total = snapped(tf.range(20000, dtype=tf.float32), 60)
print("done")
