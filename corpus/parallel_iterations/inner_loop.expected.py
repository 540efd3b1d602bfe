import tensorflow as tf


@tf.function(reduce_retracing=True)
def table(x):
    total = tf.zeros_like(x)
    for i in tf.range(5):
        for j in tf.range(4):
            tf.autograph.experimental.set_loop_options(parallel_iterations=1)
            total = total + tf.sqrt(x + tf.cast(i * j, tf.float32))
        total = total * 0.5
    return total


result = table(tf.fill([2, 10000], 2.0))


@tf.function
def the_same_every_turn(x):
    total = tf.zeros_like(x)
    for _ in tf.range(6):
        tf.autograph.experimental.set_loop_options(parallel_iterations=1)
        total = total * 0.5 + tf.exp(x)
    return total


other = the_same_every_turn(tf.fill([2, 10000], 2.0))
