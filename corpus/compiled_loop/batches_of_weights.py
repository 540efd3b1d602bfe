# for: both
import tensorflow as tf


def run(x: tf.Tensor, w: tf.Tensor, u: tf.Tensor):
    h = tf.zeros([x.shape[0], w.shape[1]])
    outs = []
    for t in range(x.shape[1]):
        h = tf.tanh(x[:, t] @ w + h @ u)
        outs.append(h)  # refused: compiled_loop: how many axes x, w and u have is not known
    return tf.stack(outs, axis=1)


inputs = {"plain": (tf.ones([3, 60, 4]), tf.fill([4, 4], 0.1), tf.eye(4)), "batches": (tf.ones([3, 60, 4]), tf.ones([2, 4, 4]), tf.eye(4))}
for name in inputs:
    print(name, run(*inputs[name]).shape)
