# for: both
import tensorflow as tf

a = tf.abs(tf.random.stateless_normal([200, 100], seed=[1, 2]))
p = tf.reduce_sum(a[:, None, :] * a[None, :, :], axis=-1)
print(tf.math.log(tf.math.squared_difference(tf.linalg.diag_part(p), tf.reduce_sum(a * a, axis=1)))[:9].numpy())
