# for: both
import tensorflow as tf


@tf.function
def _run_loop(x, w, u, h):
    def step(t, h):
        h = tf.tanh(tf.einsum("bi,ij->bj", x[:, t], w) + tf.einsum("bi,ij->bj", h, u))
        return t + 1, h

    _, h = tf.while_loop(
        lambda t, h: t < x.shape[1],
        step,
        (0, h),
        shape_invariants=(tf.TensorShape([]), h.shape),
        maximum_iterations=x.shape[1],
        parallel_iterations=1,
    )
    return h


def run(x, w, u):
    h = tf.zeros([x.shape[0], u.shape[0]])
    if x.shape[1] > 0:
        h = _run_loop(x, w, u, h)
    return h


for units in (1, 3):
    print(run(tf.ones([2, 60, 4]), tf.fill([4, units], 0.1), tf.eye(units) * 0.5).shape)
print(run(tf.ones([0, 1, 4]), tf.fill([4, 2], 0.1), tf.eye(2) * 0.5).shape)
