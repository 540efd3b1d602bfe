# for: both
import tensorflow as tf


def run(x: tf.Tensor, w: tf.Tensor, u: tf.Tensor):
    tf.debugging.assert_shapes([(x, "BTD"), (w, "DH"), (u, "HU")])
    h = tf.zeros([x.shape[0], w.shape[1]])
    outs = []
    for t in range(x.shape[1]):
        h = tf.tanh(x[:, t] @ w + h @ u)
        outs.append(h)  # refused: compiled_loop: u.shape[1] is not known to be u.shape[0]
    return tf.stack(outs, axis=1)


inputs = {"plain": (tf.ones([3, 60, 4]), tf.fill([4, 5], 0.1), tf.eye(5)), "grows": (tf.ones([3, 1, 4]), tf.ones([4, 1]), tf.ones([1, 3]))}
for name in inputs:
    print(name, run(*inputs[name]).shape)
