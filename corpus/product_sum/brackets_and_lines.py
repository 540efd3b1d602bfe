# fidelity: tolerance
import tensorflow as tf

m = tf.random.uniform([400, 400], dtype=tf.float64)
v = tf.random.uniform([400], dtype=tf.float64)
powers = -tf.reduce_sum((m + 1.0) * (v - 1.0), -1)[3:7] ** 2
chosen = tf.reduce_sum((m if len(m) else -m) * v, 1)
lines = tf.reduce_sum(
    m  # the rows
    * v[None, :],
    axis=1,
)
calls = tf.reduce_sum(
    tf.multiply(
        m * 0.5,
        v,
    ),
    axis=-1,
).numpy()
