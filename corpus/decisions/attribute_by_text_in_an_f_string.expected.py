# for: both
import tensorflow as tf


class Meter:
    def __init__(self, ratio):
        self.ratio = ratio


a = tf.abs(tf.random.stateless_normal([200, 100], seed=[1, 2]))
p = tf.concat(
    [
        tf.reduce_sum(a[start : start + 64, None, :] * a[None, :, :], axis=-1)
        for start in range(0, a.shape[0], 64)
    ],
    axis=0,
)
m = Meter(tf.linalg.diag_part(p) / tf.reduce_sum(a * a, axis=1))
name = "rat" + "io"
print(f"{getattr(m, name)[1] > 1.0}")
