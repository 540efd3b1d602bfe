import tensorflow as tf

layers = [tf.ones([20]), tf.zeros([20])]


@tf.function
def decides(x, k):
    return x * k if k > 3 else x


@tf.function
def repeats(x, k):
    return tf.add_n([x, *[x * 1.5 for _ in range(k)]])


@tf.function
def sizes(x, k):
    return tf.zeros([k]) + tf.reduce_sum(x)


@tf.function
def written(x, k):
    with tf.name_scope(f"step{k}"):
        return x * k


@tf.function
def chosen(x, k):
    return x * layers[k % 2]


@tf.function
def place(x, k):
    return x[k]


@tf.function
def optional(x, k=None):
    return x if k is None else x * k


@tf.function
def key(x, k):
    return {k: x}


@tf.function
def gives_another(x, k):
    k = k * 2
    return x * k


x = tf.ones([20])
for i in range(8):
    decides(x, i)  # refused: retraced_argument: Python decides k > 3 while the graph is built
    repeats(x, i)  # refused: retraced_argument: as a Python number
    sizes(x, i)  # refused: retraced_argument: k is needed as a Python number
    written(x, i)  # refused: retraced_argument: k is formatted into a string
    chosen(x, i)  # refused: retraced_argument: Python computes k % 2, and a tensor may give another number
    place(x, i)  # refused: retraced_argument: k is an index of something
    optional(x, k=i)  # refused: retraced_argument: k decides what Python does
    key(x, i)  # refused: retraced_argument: k is needed as a Python number
    gives_another(x, i)  # refused: retraced_argument: k is assigned another value in gives_another
shown = 1
