# for: both
import tensorflow as tf


def survival(rates, turns):
    alive = tf.zeros_like(rates)
    for _ in range(turns):  # refused: compiled_loop: an operation depends on a value that is rounded differently
        kept = tf.math.cumprod(1.0 - rates, axis=1)
        alive = alive + tf.cast(kept[:, ::-1] >= kept * kept[:, ::-1] / kept, tf.float32)
        rates = rates * 0.97
    return alive


alive = survival(tf.reshape(tf.range(1000, dtype=tf.float32), [20, 50]) / 5000.0, 60)
print("done")
