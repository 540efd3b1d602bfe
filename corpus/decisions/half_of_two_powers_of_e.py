# for: both
import tensorflow as tf


def odds(logits, turns):
    won = tf.zeros(logits.shape, tf.int32)
    for _ in range(turns):
        ratio = tf.exp(logits) * 5.0 / tf.exp(logits + 1.0)  # refused: compiled_loop: an operation: float16 has so few digits that another rounding is another number
        won = won + tf.cast(ratio > 1.8395, tf.int32)
        logits = logits + 0.05
    return won


won = odds(tf.cast(tf.range(100), tf.float16) * 0.1, 60)
print("done")
