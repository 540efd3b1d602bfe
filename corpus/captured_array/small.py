import numpy as np
import tensorflow as tf


def run():
    table = np.arange(100.0)

    @tf.function
    def look_up(ids):
        return tf.gather(table, ids)

    return look_up(tf.constant([1]))


result = run()
