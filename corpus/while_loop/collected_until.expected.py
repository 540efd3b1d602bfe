# raises in a graph
"""How many turns a condition on tensors lets through is not known before the loop."""
import tensorflow as tf


@tf.function
def halvings(x, eps):
    out = tf.TensorArray(tf.float32, size=0, dynamic_size=True, element_shape=x.shape)

    def step(x, out):
        out = out.write(out.size(), x)
        x = x * 0.5
        return x, out

    _, out = tf.while_loop(
        lambda x, out: tf.reduce_sum(x) > eps,
        step,
        (x, out),
        shape_invariants=(x.shape, tf.TensorShape(None)),
        parallel_iterations=1,
    )
    tf.debugging.assert_positive(out.size())
    return out.stack()


result = [halvings(tf.constant([1.0, 2.0]), eps) for eps in (0.1, 2.9)]
