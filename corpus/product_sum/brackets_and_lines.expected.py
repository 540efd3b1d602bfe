# fidelity: tolerance
import tensorflow as tf

m = tf.random.uniform([400, 400], dtype=tf.float64)
v = tf.random.uniform([400], dtype=tf.float64)
powers = -tf.linalg.matvec(m + 1.0, v - 1.0)[3:7] ** 2
chosen = tf.linalg.matvec(m if len(m) else -m, v)
lines = tf.reduce_sum(
    m  # the rows
    * v[None, :],
    axis=1,
)
calls = tf.linalg.matvec(m * 0.5, v).numpy()
