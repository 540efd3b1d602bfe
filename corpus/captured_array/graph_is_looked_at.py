import numpy as np
import tensorflow as tf


def run():
    table = np.zeros((2000, 10))

    @tf.function
    def look_up(ids):
        return tf.gather(table, ids)

    traced = look_up.get_concrete_function(tf.TensorSpec([1], tf.int32))  # refused: captured_array: what a graph holds
    return len(traced.inputs)


inputs = run()
