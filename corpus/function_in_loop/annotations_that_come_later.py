import tensorflow as tf


def smooth(x):
    @tf.function
    def average(x: Batch):  # refused: function_in_loop: Batch, which average is made with, is not there yet
        return x * 2.0

    return average(x)


def rough(x):
    @tf.function
    def sharper(x) -> Batch:  # refused: function_in_loop: Batch, which sharper is made with, is not there yet
        return x * 2.0

    return sharper(x)


Batch = tf.Tensor
out = [(smooth(tf.ones([3])), rough(tf.ones([3]))) for _ in range(3)]
for turn in range(3):
    Row = tf.Tensor
    quick = turn > 5

    @tf.function
    def doubled(x: Row):  # refused: function_in_loop: Row, which doubled is made with, is assigned in the loop
        return x * 2.0

    half = tf.function(lambda x: x * 0.5, autograph=quick)  # refused: function_in_loop: quick, which half is made with, is assigned in the loop
    rows = doubled(half(tf.ones([3])))
