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
d = tf.linalg.diag_part(p) - tf.reduce_sum(a * a, axis=1)
k = tf.linalg.diag(tf.linspace(1.0, 900.0, 200) ** 2)
print(tf.linalg.matvec(k, d)[190:].numpy(), tf.tensordot(d, k, 1)[190:].numpy())
print(tf.nn.conv1d(tf.reshape(d, [1, 200, 1]), tf.reshape(tf.linspace(1.0, 900.0, 3) ** 2, [3, 1, 1]), 1, "SAME")[0, :4, 0].numpy())
