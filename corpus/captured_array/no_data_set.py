from concurrent.futures import ThreadPoolExecutor

import numpy as np
import tensorflow as tf


def rows():
    table = np.zeros((2000, 10))

    def row(i):
        return table[i].sum() + float(tf.reduce_sum(tf.gather(table, i)))

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(row, range(4)))


result = rows()
