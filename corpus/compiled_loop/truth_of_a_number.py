import tensorflow as tf


def truth_of_a_number(x):
    for i in range(90):
        if i % 3:  # refused: compiled_loop: i % 3 is asked for its truth, and would be a tensor
            x = x * 0.9
    return x


result = truth_of_a_number(tf.ones([2]))
