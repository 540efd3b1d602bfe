import tensorflow as tf


def neighbours(board):
    total = tf.zeros_like(board)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            if dy or dx:
                total += tf.roll(board, shift=[dy, dx], axis=[0, 1])  # refused: compiled_loop: XLA computes all of what is moved around in an iteration
    return total


def play(board, generations):
    for _ in range(generations):
        count = neighbours(board)
        board = tf.cast(tf.logical_or(tf.equal(count, 3), tf.logical_and(tf.equal(board, 1), tf.equal(count, 2))), tf.int32)
    return board


def escape(c, limit):
    z = tf.zeros_like(c)
    for _ in range(limit):
        z = tf.where(tf.abs(z) < 2.0, z * z + c, z)  # refused: compiled_loop: of 90,000 numbers as in
    return z


board = tf.cast(tf.random.uniform([300, 300], seed=1) < 0.3, tf.int32)
real, imaginary = tf.meshgrid(tf.linspace(-2.0, 0.6, 300), tf.linspace(-1.2, 1.2, 300))
result = play(board, 60), tf.abs(escape(tf.complex(real, imaginary), 50))
