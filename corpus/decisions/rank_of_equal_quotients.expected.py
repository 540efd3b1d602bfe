# for: both
import tensorflow as tf


@tf.function
def _shares_loop(turns, divisor, divisor_2, order, votes):
    def step(seats, order, votes):
        quotients = votes / divisor + votes / divisor_2
        order = order + tf.argsort(quotients % 1.0, stable=True)
        votes = votes + 3.0
        return seats + 1, order, votes

    _, order, _ = tf.while_loop(
        lambda seats, order, votes: seats < turns,
        step,
        (0, order, votes),
        shape_invariants=(tf.TensorShape([]), order.shape, votes.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return order


def shares(votes, turns):
    order = tf.zeros(votes.shape, tf.int32)
    order = _shares_loop(
        tf.constant(turns),
        tf.constant(7.0, tf.float32),
        tf.constant(3.0, tf.float32),
        order,
        votes,
    )
    return order


order = shares(tf.range(210, dtype=tf.float32), 40)
print("done")
