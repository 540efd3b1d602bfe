# for: both
import tensorflow as tf


def run(x: tf.Tensor, w: tf.Tensor, u: tf.Tensor):
    tf.debugging.assert_shapes([(x, "BTD"), (w, "DH"), (u, ("H", "H"))])
    h = tf.zeros([x.shape[0], w.shape[1]])
    outs = []
    for t in range(x.shape[1]):
        h = tf.tanh(x[:, t] @ w + h @ u)
        outs.append(h)
    return tf.stack(outs, axis=1)


inputs = {
    "plain": (tf.ones([3, 60, 4]), tf.fill([4, 5], 0.1), tf.eye(5) * 0.5),
    "one unit": (tf.ones([1, 1, 4]), tf.fill([4, 1], 0.1), tf.eye(1) * 0.5),
    "nothing": (tf.ones([0, 30, 4]), tf.fill([4, 5], 0.1), tf.eye(5) * 0.5),
}
for name in inputs:
    result = run(*inputs[name])
    print(name, result.shape, float(tf.reduce_sum(result)))
