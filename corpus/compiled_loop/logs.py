import logging

import tensorflow as tf


def logged(x):
    for i in range(60):
        x = x * 0.9
        logging.debug("turn %d", i)  # refused: compiled_loop: what logging.debug does is not known
    return x


result = logged(tf.ones([2]))
