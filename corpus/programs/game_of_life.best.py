"""All generations in one loop that XLA compiles, on a board of single bytes."""

import tensorflow as tf


@tf.function(jit_compile=True)
def play(board, generations):
    def generation(i, board, alive):
        rows = tf.roll(board, 1, 0) + board + tf.roll(board, -1, 0)
        count = tf.roll(rows, 1, 1) + rows + tf.roll(rows, -1, 1)  # the cell itself is one of the nine
        lives = tf.logical_or(tf.equal(count, 3), tf.logical_and(tf.equal(board, 1), tf.equal(count, 4)))
        return i + 1, tf.cast(lives, tf.int8), alive.write(i, tf.reduce_sum(tf.cast(lives, tf.int32)))

    alive = tf.TensorArray(tf.int32, size=generations, element_shape=[])
    state = (0, tf.cast(board, tf.int8), alive)
    _, board, alive = tf.while_loop(lambda i, *_: i < generations, generation, state, maximum_iterations=generations)
    return tf.cast(board, tf.int32), alive.stack()


board = tf.cast(tf.random.uniform([400, 400], seed=1) < 0.3, tf.int32)

final, alive = play(board, generations=60)
