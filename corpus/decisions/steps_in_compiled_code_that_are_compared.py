# for: both
import tensorflow as tf


@tf.function(jit_compile=True)
def kept(rates):
    for step in range(60):  # refused: while_loop: an operation depends on a value that is rounded differently
        rates = rates + 0.1 * float(step)
    return rates


counts = tf.cast(kept(tf.range(1, 500, dtype=tf.float32)), tf.int32)
print("done")
