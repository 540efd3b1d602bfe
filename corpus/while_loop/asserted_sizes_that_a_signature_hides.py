# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 40, 4]), tf.TensorSpec([4, 1]), tf.TensorSpec([None, None])])
def run(x, w, u):
    tf.debugging.assert_shapes([(w, "DH"), (u, "HH")])
    h = tf.zeros([tf.shape(x)[0], 1])
    for t in range(40):
        h = tf.tanh(x[:, t] @ w + h @ u)
    return h


print(run(tf.ones([3, 40, 4]), tf.fill([4, 1], 0.1), tf.eye(1)).shape, run(tf.ones([0, 40, 4]), tf.fill([4, 1], 0.1), tf.eye(1)).shape)
