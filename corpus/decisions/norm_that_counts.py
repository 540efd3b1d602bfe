# for: both
import numpy as np
import tensorflow as tf

a = tf.abs(tf.random.stateless_normal([200, 100], seed=[1, 2]))
p = tf.reduce_sum(a[:, None, :] * a[None, :, :], axis=-1)
print(np.linalg.norm((tf.linalg.diag_part(p) - tf.reduce_sum(a * a, axis=1)).numpy(), ord=0))
