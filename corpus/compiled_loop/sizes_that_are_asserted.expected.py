# for: both
import tensorflow as tf


@tf.function
def _run_loop(x, w, u, h):
    outs = tf.TensorArray(tf.float32, size=x.shape[1], element_shape=h.shape)

    def step(t, h, outs):
        h = tf.tanh(x[:, t] @ w + h @ u)
        outs = outs.write(t, h)
        return t + 1, h, outs

    _, _, outs = tf.while_loop(
        lambda t, h, outs: t < x.shape[1],
        step,
        (0, h, outs),
        shape_invariants=(tf.TensorShape([]), h.shape, tf.TensorShape(None)),
        maximum_iterations=x.shape[1],
        parallel_iterations=1,
    )
    return outs.stack()


def run(x: tf.Tensor, w: tf.Tensor, u: tf.Tensor):
    tf.debugging.assert_shapes([(x, "BTD"), (w, "DH"), (u, ("H", "H"))])
    h = tf.zeros([x.shape[0], w.shape[1]])
    outs = []
    if x.shape[1] > 0:
        outs = _run_loop(x, w, u, h)
    return tf.stack(outs, axis=1)


inputs = {
    "plain": (tf.ones([3, 60, 4]), tf.fill([4, 5], 0.1), tf.eye(5) * 0.5),
    "one unit": (tf.ones([1, 1, 4]), tf.fill([4, 1], 0.1), tf.eye(1) * 0.5),
    "nothing": (tf.ones([0, 30, 4]), tf.fill([4, 5], 0.1), tf.eye(5) * 0.5),
}
for name in inputs:
    result = run(*inputs[name])
    print(name, result.shape, float(tf.reduce_sum(result)))
