# for: both
import tensorflow as tf


def walked(x, steps):
    for _ in range(steps):
        x = x + 0.5 + 0.5  # refused: compiled_loop: x + 0.5 + 0.5: bfloat16 has so few digits that another rounding is another number
    return x


x = walked(tf.cast(tf.range(200, 300), tf.bfloat16), 60)
print("done")
