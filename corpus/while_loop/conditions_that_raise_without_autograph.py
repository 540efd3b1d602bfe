import tensorflow as tf


@tf.function(autograph=False)
def plain(x):
    for _ in range(90):
        if tf.reduce_sum(x) > 3.0:  # refused: while_loop: is a tensor, which Python can't ask here: the program raises
            x = x * 0.9
        x = x + 1.0
    return x


@tf.function
def with_a_walrus(x):
    if (more := 2) > 1:
        x = x + more
    for _ in range(90):
        x = x * 0.9 if x[0] > 3.0 else x + 1.0  # refused: while_loop: the program raises
    return x


raised = []
try:
    plain(tf.ones([2]))
except tf.errors.OperatorNotAllowedInGraphError:
    raised.append("plain")
try:
    with_a_walrus(tf.ones([2]))
except tf.errors.OperatorNotAllowedInGraphError:
    raised.append("with_a_walrus")
assert len(raised) == 2
