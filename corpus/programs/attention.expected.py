# fidelity: tolerance
"""Attention of eight heads over 768 places, as it stands in the paper."""

import math

import tensorflow as tf


def attention(queries, keys, values):
    def of_block(block):
        scores = tf.matmul(block, keys, transpose_b=True) / math.sqrt(queries.shape[-1])
        weights = tf.nn.softmax(scores, axis=-1)
        return tf.matmul(weights, values)

    return tf.concat(
        [
            of_block(queries[:, :, start : start + 128])
            for start in range(0, queries.shape[2], 128)
        ],
        axis=2,
    )


def split_heads(x, heads):
    batch, length, depth = x.shape
    return tf.transpose(tf.reshape(x, [batch, length, heads, depth // heads]), [0, 2, 1, 3])


def merge_heads(x):
    batch, heads, length, depth = x.shape
    return tf.reshape(tf.transpose(x, [0, 2, 1, 3]), [batch, length, heads * depth])


def self_attention(x, w_queries, w_keys, w_values, heads):
    queries = split_heads(tf.matmul(x, w_queries), heads)
    keys = split_heads(tf.matmul(x, w_keys), heads)
    values = split_heads(tf.matmul(x, w_values), heads)
    return merge_heads(attention(queries, keys, values))


x = tf.random.normal([1, 768, 256], seed=1)
w_queries = tf.random.normal([256, 256], stddev=0.06, seed=2)
w_keys = tf.random.normal([256, 256], stddev=0.06, seed=3)
w_values = tf.random.normal([256, 256], stddev=0.06, seed=4)

attended = self_attention(x, w_queries, w_keys, w_values, heads=8)
