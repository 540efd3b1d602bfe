# for: both
import tensorflow as tf


def spread(x, turns):
    history = []
    for _ in range(turns):
        x = x - x / 13.0
        history.append(x * x - x / 7.0)
    return tf.stack(history)


histories = [spread(tf.range(1, 100, dtype=tf.float32) * scale, 60) for scale in (0.5, 0.25)]
votes = [tf.math.top_k(tf.round(history * 1e6) % 10.0, k=3).indices for history in histories]
print("done")
