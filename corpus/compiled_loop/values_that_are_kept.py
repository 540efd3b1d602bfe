import tensorflow as tf

history = []


def recorded(x):
    for i in range(60):
        x = x * 0.9
        history.append(float(tf.reduce_sum(x)))  # refused: compiled_loop: float makes a Python value while the loop runs
    return x


result = recorded(tf.ones([2])), history
