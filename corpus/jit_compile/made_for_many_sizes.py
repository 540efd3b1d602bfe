import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None, 1000])])
def bell(x):  # refused: jit_compile: tensors of several sizes
    rising = tf.exp(x)
    falling = tf.exp(-x)
    return (rising - falling) / (rising + falling)


@tf.function(jit_compile=False)
def bump(x):
    rising = tf.exp(x)
    falling = tf.exp(-x)
    return (rising - falling) / (rising + falling)


results = [(bell(tf.ones([1000, 1000])), bump(tf.ones([1000, 1000]))) for _ in range(2)]
