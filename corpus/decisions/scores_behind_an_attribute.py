# for: both
import tensorflow as tf


class Ranking:
    def settle(self, scores, turns):
        for _ in range(turns):
            scores = scores - scores / 41.0
        self.scores = scores

    def order(self):
        return tf.argsort(tf.round(self.scores * 1e7) % 10.0, stable=True)


ranking = Ranking()
ranking.settle(tf.range(300, dtype=tf.float32) / 300.0, 60)
order = ranking.order()
