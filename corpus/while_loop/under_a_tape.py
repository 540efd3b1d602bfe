import tensorflow as tf


@tf.function
def gradient(x, w):
    with tf.GradientTape() as tape:
        tape.watch(w)
        for _ in range(50):  # refused: while_loop: the loop is in a try or with block
            x = tf.tanh(x * w)
        loss = tf.reduce_sum(x)
    return tape.gradient(loss, w)


def forward(x, w):
    for _ in range(50):  # refused: while_loop: a gradient tape may be recording
        x = tf.tanh(x * w)
    return x


@tf.function
def gradient_of_a_function(x, w):
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tf.reduce_sum(forward(x, w))
    return tape.gradient(loss, w)


result = gradient(tf.ones([3]), tf.ones([3])), gradient_of_a_function(tf.ones([3]), tf.ones([3]))
