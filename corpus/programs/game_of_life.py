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


def play(board, generations):
    alive = []
    for _ in range(generations):
        board = generation(board)
        alive.append(tf.reduce_sum(board))
    return board, tf.stack(alive)


board = tf.cast(tf.random.uniform([400, 400], seed=1) < 0.3, tf.int32)

final, alive = play(board, generations=60)
