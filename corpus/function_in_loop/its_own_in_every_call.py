import tensorflow as tf


def scaled(x, rate):
    @tf.function
    def apply(x):  # refused: function_in_loop: apply closes over rate, which belongs to scaled
        return x * rate

    return apply(x)


def of_turns(x):
    for turn in range(4):
        step = tf.function(lambda x: x * turn)  # refused: function_in_loop: step closes over turn, which differs in each iteration
        x = step(x)
    return x


def with_default(x):
    for turn in range(4):

        @tf.function
        def shifted(x, by=turn):  # refused: function_in_loop: shifted has defaults
            return x + by

        x = shifted(x)
    return x


class Model:
    def __init__(self):
        self.weight = tf.Variable(2.0)

    def run(self, x):
        @tf.function
        def weighted(x):  # refused: function_in_loop: weighted closes over self
            return x * self.weight

        return weighted(x)


def all_of_them(x):
    model = Model()
    rows = [model.run(x) for _ in range(3)]
    return rows


out = [(scaled(tf.ones([3]), k), of_turns(tf.ones([3])), with_default(tf.ones([3]))) for k in range(3)]
rows = all_of_them(tf.ones([3]))
