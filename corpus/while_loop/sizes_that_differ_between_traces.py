# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function
def run(x, w, u):
    h = tf.zeros([x.shape[0], w.shape[1]])
    outs = []
    for t in range(x.shape[1]):
        h = tf.tanh(x[:, t] @ w + h @ u)
        outs.append(h)
    return tf.stack(outs)


results = [run(tf.ones([3, 40, 4]), tf.fill([4, 5], 0.1), tf.eye(5) * 0.5)]
results.append(run(tf.ones([0, 40, 4]), tf.fill([4, 1], 0.1), tf.eye(1) * 0.5))
results.append(run(tf.ones([1, 30, 2]), tf.fill([2, 2], 0.1), tf.eye(2) * 0.5))
print([one.shape for one in results])
