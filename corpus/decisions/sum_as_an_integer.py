# for: both
import numpy as np
import tensorflow as tf

a = tf.abs(tf.random.stateless_normal([200, 100], seed=[1, 2]))
p = tf.reduce_sum(a[:, None, :] * a[None, :, :], axis=-1)
q = (tf.linalg.diag_part(p) / tf.reduce_sum(a * a, axis=1)).numpy()
print(q.sum(dtype=np.int64), q.cumsum(dtype=int)[-1], q.mean(dtype="int32"))
