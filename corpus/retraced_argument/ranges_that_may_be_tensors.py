import tensorflow as tf

__all__ = ["run"]


@tf.function
def scaled(x, k):
    return tf.cast(x, tf.float32) * k


def run(x: tf.Tensor, turns):
    for i in range(turns):
        x = scaled(x, i)  # refused: retraced_argument: where turns is a tensor and a graph is built, i is one already
    return x


compiled = tf.function(lambda x, turns: run(x, turns))
