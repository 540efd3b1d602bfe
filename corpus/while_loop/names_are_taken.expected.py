import tensorflow as tf


@tf.function
def search(x, step, done):
    def one_step(turn, x, stopped):
        x = x - step * (x - done)
        if turn == 30:
            return turn, x, True
        return turn + 1, x, False

    _, x, _ = tf.while_loop(
        lambda turn, x, stopped: turn < 40 and not stopped,
        one_step,
        (0, x, False),
        shape_invariants=(tf.TensorShape([]), x.shape, tf.TensorShape([])),
        maximum_iterations=40,
        parallel_iterations=1,
    )
    i = tf.reduce_max(x)
    return x, i


result = search(tf.constant([1.0, 9.0]), tf.constant(0.25), tf.constant(3.0))
