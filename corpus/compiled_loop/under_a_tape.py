import tensorflow as tf


def forward(x, w):
    for _ in range(50):  # refused: compiled_loop: a gradient tape may be recording, which keeps what every iteration computes
        x = tf.tanh(x * w)
    return x


w = tf.Variable([0.5, 0.7])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(forward(tf.ones([2]), w))
result = tape.gradient(loss, w)
del tape
