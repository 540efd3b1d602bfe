# unsafe
import tensorflow as tf

n = 0


def helper(x):
    return x * n


@tf.function
def step(x):
    global n
    n += 1  # refused: python_state: while a graph is traced
    return helper(x)


results = [step(tf.constant(2)), step(tf.constant(2)), helper(tf.constant(2))]
