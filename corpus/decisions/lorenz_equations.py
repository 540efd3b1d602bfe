# for: both
import tensorflow as tf


def lorenz(state, turns, step=0.02):
    x, y, z = state
    for _ in range(turns):  # refused: compiled_loop: `z + step * dz` may cancel, and leave only a rounding error
        dx = 10.0 * (y - x)
        dy = x * (28.0 - z) - y
        dz = x * y - 8.0 / 3.0 * z
        x, y, z = x + step * dx, y + step * dy, z + step * dz
    return tf.stack([x, y, z])


start = tf.range(1, 101, dtype=tf.float32) / 10.0
end = lorenz((start, start + 1.0, start + 20.0), 1500)
print("done")
