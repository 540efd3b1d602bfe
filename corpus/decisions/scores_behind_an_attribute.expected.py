# for: both
import tensorflow as tf


@tf.function
def _settle_loop(turns, divisor, scores):
    def step(i, scores):
        scores = scores - scores / divisor
        return i + 1, scores

    _, scores = tf.while_loop(
        lambda i, scores: i < turns,
        step,
        (0, scores),
        shape_invariants=(tf.TensorShape([]), scores.shape),
        maximum_iterations=turns,
        parallel_iterations=1,
    )
    return scores


class Ranking:
    def settle(self, scores, turns):
        scores = _settle_loop(tf.constant(turns), tf.constant(41.0, tf.float32), scores)
        self.scores = scores

    def order(self):
        return tf.argsort(tf.round(self.scores * 1e7) % 10.0, stable=True)


ranking = Ranking()
ranking.settle(tf.range(300, dtype=tf.float32) / 300.0, 60)
order = ranking.order()
