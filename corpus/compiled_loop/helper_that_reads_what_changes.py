import tensorflow as tf

rate = 0.5


def step(x):
    return tf.tanh(x) * rate


def blend(x, other=rate):
    return tf.tanh(x) * other


def settle(x):
    for _ in range(60):
        x = step(x)  # refused: compiled_loop: a global name that may change from call to call
    return x


def blended(x):
    for _ in range(60):
        x = blend(x)  # refused: compiled_loop: blend has parameters that the call doesn't pass
    return x


first = settle(tf.ones([2]))
rate = 0.25
second = settle(tf.ones([2])), blended(tf.ones([2]))
