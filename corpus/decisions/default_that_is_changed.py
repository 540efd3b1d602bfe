# for: both
import tensorflow as tf

cfg = [1.0]


def h(v, w=cfg):
    return v * w[0]


def run(x):
    @tf.function
    def inner(v):
        return h(v)

    return inner(x)


for k in range(4):
    cfg[0] = float(k)  # refused: compiled_loop: the loop writes into cfg
    print(run(tf.ones([3])).numpy())
