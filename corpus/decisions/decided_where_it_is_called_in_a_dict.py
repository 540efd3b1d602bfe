# for: both
import tensorflow as tf


def simulate(x, turns):
    y = x
    for _ in range(turns):
        x, y = x + y / 11.0, y - x / 11.0
    return {"x": x, "energy": x * x + y * y}


found = simulate(tf.range(200, dtype=tf.float32) * 0.1, 60)
levels = {name: tf.cast(value * 1000.0, tf.int32) for name, value in found.items()}
print("done")
