# for: both
import tensorflow as tf

a = tf.abs(tf.random.stateless_normal([200, 100], seed=[1, 2]))
p = tf.concat(
    [
        tf.reduce_sum(a[start : start + 64, None, :] * a[None, :, :], axis=-1)
        for start in range(0, a.shape[0], 64)
    ],
    axis=0,
)
q = tf.linalg.diag_part(p) / tf.reduce_sum(a * a, axis=1)
print((tf.math.log(q) / tf.math.log(tf.fill([200], 1.000001)))[:9].numpy())
