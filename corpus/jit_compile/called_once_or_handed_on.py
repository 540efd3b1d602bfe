import tensorflow as tf


@tf.function
def bell(x):  # refused: jit_compile: bell is called once
    rising = tf.exp(x)
    falling = tf.exp(-x)
    return (rising - falling) / (rising + falling)


@tf.function
def bump(x):  # refused: jit_compile: bump is passed to something
    rising = tf.exp(x)
    falling = tf.exp(-x)
    return (rising - falling) * (rising + falling)


x = tf.ones([1000, 1000])
result = bell(x)
others = [one(x) for one in (bump, tf.exp)]
