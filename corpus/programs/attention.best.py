"""Blocks of 32 queries in a loop that XLA compiles: never more than the scores of one block."""

import math

import tensorflow as tf

BLOCK = 32


@tf.function(jit_compile=True)
def self_attention(x, w_queries, w_keys, w_values, heads):
    batch, length, depth = x.shape
    width = depth // heads
    keys = tf.reshape(tf.matmul(x, w_keys), [length, heads, width])
    values = tf.reshape(tf.matmul(x, w_values), [length, heads, width])
    keys, values = tf.transpose(keys, [1, 2, 0]), tf.transpose(values, [1, 0, 2])

    def attended(rows):
        queries = tf.transpose(tf.reshape(tf.matmul(rows, w_queries), [BLOCK, heads, width]), [1, 0, 2])
        weights = tf.nn.softmax(tf.matmul(queries / math.sqrt(width), keys), axis=-1)
        return tf.reshape(tf.transpose(tf.matmul(weights, values), [1, 0, 2]), [BLOCK, depth])

    blocks = tf.map_fn(attended, tf.reshape(x, [-1, BLOCK, depth]))
    return tf.reshape(blocks, [batch, length, depth])


x = tf.random.normal([1, 768, 256], seed=1)
w_queries = tf.random.normal([256, 256], stddev=0.06, seed=2)
w_keys = tf.random.normal([256, 256], stddev=0.06, seed=3)
w_values = tf.random.normal([256, 256], stddev=0.06, seed=4)

attended = self_attention(x, w_queries, w_keys, w_values, heads=8)
