"""AutoGraph makes a loop of the graph of one over a tensor, and unrolls one over a list: only the second works."""
import tensorflow as tf


@tf.function
def each(xs):
    out = []
    for x in xs:  # refused: while_loop: xs is not known to be a tensor
        out.append(tf.sqrt(x))
    return tf.stack(out)


@tf.function
def until(x, last):
    out = []
    while x < last:  # refused: while_loop: x < last is not known to be a tensor
        x = x * 2.0
        out.append(x)
    return tf.stack(out)


calls = {"each": [([tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])],)], "until": [(1.0, 3.0), (1.0, 5.0)]}
result = [globals()[name](*given) for name in calls for given in calls[name]]
