# fidelity: tolerance
import tensorflow as tf
from tensorflow import broadcast_to, multiply

m = tf.random.stateless_normal([50, 30], seed=[1, 2])
row = tf.range(30.0)
column = tf.reshape(tf.range(50.0), [50, 1])

r1 = multiply(m, row[None])
r2 = (row + 1) / m
r3 = m * (row - column)
r4 = tf.maximum(
    m,
    column,  # one column for all
)
r5 = m - (row[None] + 2)
r6 = tf.math.squared_difference(column, m)
r7 = m * -tf.tile(row[None], [50, 1])
r8 = m - (row[None] - column)
r9 = m // (column + 1)
