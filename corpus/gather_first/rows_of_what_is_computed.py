# fidelity: tolerance
import tensorflow as tf


def look(table, ids, weights, bias):
    unit = tf.gather(tf.nn.l2_normalize(table, axis=1), ids)
    shifted = 2.0 - tf.gather(table * 2.0, ids)
    likely = tf.nn.softmax(table)
    likely = tf.nn.embedding_lookup(likely, ids)
    product = tf.gather(tf.matmul(table, weights), ids)
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
    return unit, shifted**2, likely, product, rows, other, tf.gather(bias + table, ids), tf.gather(tf.cast(table, tf.float64), ids)


def flipped(columns, ids):
    return tf.gather(tf.transpose(columns), ids % 7) @ columns


@tf.function
def in_a_graph(table, ids):
    pairs = tf.reshape(ids, [-1, 2])
    return tf.gather(tf.sqrt(table), pairs), tf.gather(0.5 * tf.exp(table), ids)


@tf.function(jit_compile=True)
def by_xla(table, ids):
    return tf.gather(tf.nn.log_softmax(table, axis=-1), ids), tf.gather(tf.sqrt(table), ids)  # refused: gather_first: XLA looks rows up first by itself


def beyond(table, ids):
    try:
        return tf.gather(tf.tanh(table), ids)
    except tf.errors.InvalidArgumentError:
        return "beyond the end"


table = tf.random.uniform([5000, 64], seed=1)
weights = tf.random.uniform([64, 64], seed=2)
columns = tf.random.uniform([16, 20000], seed=3)
ids = tf.constant([3, 4999, 0, 3, 17, 256])
result = look(table, ids, weights, weights[0]), flipped(columns, ids), in_a_graph(table, ids), by_xla(table, ids)
last = beyond(table, tf.constant([5000])), beyond(table, tf.constant([-1])), beyond(table, tf.constant([4999]))
