# for: both
import tensorflow as tf


def run(x, w, u):
    h = tf.zeros([x.shape[0], w.shape[1]])
    outs = []
    for t in range(x.shape[1]):
        h = tf.tanh(x[:, t] @ w + h @ u)
        outs.append(h)
    return tf.stack(outs, axis=1)


results = [run(tf.ones([3, 40, 4]), tf.fill([4, 5], 0.1), tf.eye(5) * 0.5)]
results.append(run(tf.ones([0, 40, 4]), tf.fill([4, 1], 0.1), tf.eye(1) * 0.5))
for units in (1, 2, 7):
    results.append(run(tf.ones([1, 1, units]), tf.fill([units, units], 0.1), tf.eye(units) * 0.5))
print([one.shape for one in results], [float(tf.reduce_sum(one)) for one in results])
