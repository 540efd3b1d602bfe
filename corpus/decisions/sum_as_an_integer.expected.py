# for: both
import numpy as np
import tensorflow as tf

a = tf.abs(tf.random.stateless_normal([200, 100], seed=[1, 2]))
p = tf.concat(
    [
        tf.reduce_sum(a[start : start + 64, None, :] * a[None, :, :], axis=-1)
        for start in range(0, a.shape[0], 64)
    ],
    axis=0,
)
q = (tf.linalg.diag_part(p) / tf.reduce_sum(a * a, axis=1)).numpy()
print(q.sum(dtype=np.int64), q.cumsum(dtype=int)[-1], q.mean(dtype="int32"))
