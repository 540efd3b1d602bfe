import tensorflow as tf


@tf.function
def asks(x):
    return x * x.shape[0]


@tf.function
def rows(x):
    total = 0.0
    for row in x:
        total += tf.reduce_sum(row)
    return total


@tf.function(jit_compile=True)
def compiled(x):
    return x * 2.0


@tf.function
def unstacks(x):
    return tf.stack(tf.unstack(x))


@tf.function
def prints(x):
    print("traced")
    return x * 2.0


@tf.function
def caught(x):
    return x * 2.0


@tf.function(reduce_retracing=True)
def reduced(x):
    return x * 2.0


@tf.function
def windows(x):
    return x * 2.0


data = tf.ones([40, 4])
for i in range(1, 12):
    a = asks(data[:i])  # refused: retraced_argument: x.shape is read while the graph is built
    b = rows(data[:i])  # refused: retraced_argument: a loop over rows has to know how many there are
    c = compiled(data[:i])  # refused: retraced_argument: XLA compiles each size anyway
    d = unstacks(data[:i])  # refused: retraced_argument: whether tf.unstack can do without the sizes is not known
    f = prints(data[:i])  # refused: retraced_argument: whether print can do without the sizes is not known
    g = reduced(data[:i])
    h = windows(data[i : i + 3])
    try:
        caught(data[:i])  # refused: retraced_argument: errors of its calls are looked at
    except ValueError:
        pass
for i in range(1, 4):
    k = windows(data[:i])
