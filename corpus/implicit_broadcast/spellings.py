# fidelity: tolerance
import tensorflow as tf
from tensorflow import broadcast_to, multiply

m = tf.random.stateless_normal([50, 30], seed=[1, 2])
row = tf.range(30.0)
column = tf.reshape(tf.range(50.0), [50, 1])

r1 = multiply(m, tf.tile(row[None], (50, 1)))
r2 = broadcast_to(row + 1, [50, 30]) / m
r3 = m * broadcast_to(row - column, tf.shape(m))
r4 = tf.maximum(
    m,
    tf.repeat(column, repeats=30, axis=1),  # one column for all
)
r5 = m - (tf.tile(row[None] + 2, [50, 1]))
r6 = tf.math.squared_difference(tf.tile(input=column, multiples=[1, 30]), m)
r7 = m * -tf.tile(row[None], [50, 1])
r8 = m - tf.tile(row[None] - column, [1, 1])
r9 = m // tf.tile(column + 1, [1, 30])
