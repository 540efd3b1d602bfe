# for: both
import tensorflow as tf


def counted(x, turns):
    for _ in range(turns):
        x = x + 1.0 + 1.0 + 1.0 - 2.0  # refused: compiled_loop: x + 1.0 + 1.0 + 1.0 - 2.0: float16 has so few digits that another rounding is another number
    return x


total = counted(tf.cast(tf.range(2000, 2100), tf.float16), 60)
print("done")
