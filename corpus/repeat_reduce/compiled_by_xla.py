import tensorflow as tf

COMPILED = True


@tf.function(jit_compile=True)
def alone(element):  # of a data set
    """Nothing else."""
    temp = tf.repeat(element, 1000)
    return tf.reduce_sum(temp)


@tf.function(
    jit_compile=True
)
def over_lines(element):
    total = tf.reduce_sum(tf.repeat(element, 1000))
    return total


@tf.function(jit_compile=True)
def with_a_root(element):
    return tf.sqrt(tf.cast(tf.reduce_sum(tf.repeat(element, 1000)), tf.float32))


@tf.function(jit_compile=True)
def of_several(numbers=tf.constant([1, 2])):
    return tf.reduce_sum(tf.repeat([3, 4, 5], 1000))


@tf.function(jit_compile=True, autograph=False)
def with_more_settings(element):
    return tf.reduce_sum(tf.repeat(element, 1000))


@tf.function(jit_compile=COMPILED)
def perhaps(element):
    return tf.reduce_sum(tf.repeat(element, 1000))


results = [
    [one.numpy() for one in tf.data.Dataset.range(3).map(alone)],
    [one.numpy() for one in tf.data.Dataset.range(3).map(with_a_root)],
    [one.numpy() for one in tf.data.Dataset.range(3).map(with_more_settings)],
    [one.numpy() for one in tf.data.Dataset.range(3).map(perhaps)],
    [one.numpy() for one in tf.data.Dataset.range(3).map(over_lines)],
    of_several(),
]
