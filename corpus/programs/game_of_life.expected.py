"""Conway's Game of Life on a board of 400 x 400 whose edges meet."""

import tensorflow as tf


def neighbours(board):
    total = tf.zeros_like(board)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dy or dx:
                total += tf.roll(board, shift=[dy, dx], axis=[0, 1])
    return total


def generation(board):
    count = neighbours(board)
    born = tf.equal(count, 3)
    survives = tf.logical_and(tf.equal(board, 1), tf.equal(count, 2))
    return tf.cast(tf.logical_or(born, survives), tf.int32)


@tf.function(jit_compile=True)
def _play_loop(generations, board):
    alive = tf.TensorArray(tf.int32, size=generations, element_shape=[])

    def step(i, board, alive):
        board = generation(board)
        alive = alive.write(i, tf.reduce_sum(board))
        return i + 1, board, alive

    _, board, alive = tf.while_loop(
        lambda i, board, alive: i < generations,
        step,
        (0, board, alive),
        shape_invariants=(tf.TensorShape([]), board.shape, tf.TensorShape(None)),
        maximum_iterations=generations,
    )
    return board, alive.stack()


def play(board, generations):
    board, alive = _play_loop(tf.constant(generations), board)
    return board, alive


board = tf.cast(tf.random.uniform([400, 400], seed=1) < 0.3, tf.int32)

final, alive = play(board, generations=60)
