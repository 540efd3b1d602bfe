import tensorflow as tf


def below(m: tf.Tensor, limits: tf.Tensor):
    return tf.broadcast_to(m, tf.shape(limits)) < limits  # refused: implicit_broadcast: full size in every axis


def kind(m: tf.Tensor, limits: tf.Tensor) -> str:
    try:
        below(m, limits)
    except tf.errors.InvalidArgumentError:
        return "error"
    return "values"


results = [
    kind(tf.ones([50, 30]), tf.ones([1, 30])),
    kind(tf.ones([1, 50, 30]), tf.ones([50, 30])),
    kind(tf.ones([1, 30]), tf.ones([50, 30])),
]
