import tensorflow as tf


def run(x):
    rows = []
    for scale in range(6):

        @tf.function
        def scaled(x, k):
            return x * k * scale

        for i in range(6):
            rows.append(scaled(x, i))  # refused: retraced_argument: scale differs in each iteration
    return rows


rows = run(tf.ones([3]))
