# fidelity: tolerance
import tensorflow as tf


def look(table, ids, weights, bias):
    unit = tf.nn.l2_normalize(tf.gather(table, ids), axis=1)
    shifted = 2.0 - tf.gather(table, ids) * 2.0
    likely = tf.nn.softmax(tf.nn.embedding_lookup(table, ids))
    product = tf.matmul(tf.gather(table, ids), weights)
    rows = tf.gather(
        tf.tanh((table)),  # all of it
        ids,
    )
    other = tf.gather(  # refused: gather_first: is written on several lines
        tf.tanh(
            table  # all of it
        ),
        ids,
    )
    return unit, shifted**2, likely, product, rows, other, bias + tf.gather(table, ids), tf.cast(tf.gather(table, ids), tf.float64)


def flipped(columns, ids):
    return tf.matmul(tf.gather(columns, ids % 7, axis=1), columns, transpose_a=True)


@tf.function
def in_a_graph(table, ids):
    pairs = tf.reshape(ids, [-1, 2])
    return tf.sqrt(tf.gather(table, pairs)), 0.5 * tf.exp(tf.gather(table, ids))


@tf.function(jit_compile=True)
def by_xla(table, ids):
    return tf.nn.log_softmax(tf.gather(table, ids), axis=-1), tf.gather(tf.sqrt(table), ids)  # refused: gather_first: XLA looks rows up first by itself


def beyond(table, ids):
    try:
        return tf.tanh(tf.gather(table, ids))
    except tf.errors.InvalidArgumentError:
        return "beyond the end"


table = tf.random.uniform([5000, 64], seed=1)
weights = tf.random.uniform([64, 64], seed=2)
columns = tf.random.uniform([16, 20000], seed=3)
ids = tf.constant([3, 4999, 0, 3, 17, 256])
result = look(table, ids, weights, weights[0]), flipped(columns, ids), in_a_graph(table, ids), by_xla(table, ids)
last = beyond(table, tf.constant([5000])), beyond(table, tf.constant([-1])), beyond(table, tf.constant([4999]))
