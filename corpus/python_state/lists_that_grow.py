# unsafe
import collections

import tensorflow as tf

losses = []
seen = collections.defaultdict(int)


def note(x):
    losses.append(x.shape)  # refused: python_state: changed while a graph is traced


def compiled(x):
    note(x)
    seen["calls"] += 1  # refused: python_state: changed while a graph is traced
    return x * 2


step = tf.function(compiled)
print(step(tf.constant(1)).numpy(), len(losses), seen["calls"])
