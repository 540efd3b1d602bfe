# for: both
import tensorflow as tf


def run(x: tf.Tensor, w: tf.Tensor, u: tf.Tensor):
    batch, steps, size = x.shape
    units, columns = u.shape
    if units != columns:
        raise ValueError("u has to be square")
    assert w.shape == (size, units)
    h = tf.zeros([batch, units])
    for t in range(steps):
        h = tf.tanh(x[:, t] @ w + h @ u)
    return h


inputs = {
    "plain": (tf.ones([3, 60, 4]), tf.fill([4, 5], 0.1), tf.eye(5) * 0.5),
    "one unit": (tf.ones([1, 1, 4]), tf.fill([4, 1], 0.1), tf.eye(1) * 0.5),
    "nothing": (tf.ones([2, 0, 4]), tf.fill([4, 5], 0.1), tf.eye(5) * 0.5),
}
for name in inputs:
    result = run(*inputs[name])
    print(name, result.shape, float(tf.reduce_sum(result)))
