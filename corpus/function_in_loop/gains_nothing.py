import tensorflow as tf


def once(x):
    @tf.function
    def doubled(x):
        return x * 2.0

    for _ in range(3):
        x = doubled(x)
    return x


@tf.function
def graph(x):
    @tf.function
    def inner(x):
        return x * 2.0

    return inner(x)


def placed(x, fast):
    if fast:

        @tf.function
        def chosen(x):  # refused: function_in_loop: chosen is made under a condition
            return x * 2.0

        x = chosen(x)
    with tf.device("CPU:0"):
        there = tf.function(lambda x: x * 3.0)  # refused: function_in_loop: there is made under a condition
        x = there(x)
    return x


out = once(tf.ones([3])), [graph(tf.ones([3])) for _ in range(3)], [placed(tf.ones([3]), True) for _ in range(3)]
