# leaves besides: TABLE_TENSOR
import numpy as np
import tensorflow as tf

TABLE = np.arange(40000.0).reshape(400, 100)  # float64
TABLE_TENSOR = tf.constant(TABLE)


@tf.function
def look_up(ids, scale):
    rows = tf.gather(TABLE_TENSOR, ids)
    return rows * scale * TABLE.shape[1]


rows = look_up(tf.constant([3, 1]), tf.constant(0.5, tf.float64))
mean = TABLE.mean()
