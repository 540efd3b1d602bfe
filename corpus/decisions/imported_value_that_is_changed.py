# for: both
from os import environ

import tensorflow as tf


def run(x):
    @tf.function
    def inner(v):
        return v * float(environ["K"])

    return inner(x)


for k in range(4):
    environ["K"] = str(k)  # refused: compiled_loop: the loop writes into environ
    print(run(tf.ones([3])).numpy())
del environ["K"]
