# for: both
import tensorflow as tf


def spread(x, y, c, n):
    out = tf.zeros([1000])
    for _ in range(n):  # refused: compiled_loop: `1.0 / d` turns a rounding error near zero into another number
        d = x * y
        d -= c
        out = out * 0.5 + 1.0 / d
    return out


x = tf.range(1000.0) / 7.0 + 1.0
y = tf.sin(x)
result = spread(x, y, x * y, 100)
print("done")
