# unsafe
import tensorflow as tf

total = tf.Variable(0)
state = {"sum": tf.Variable(0)}


@tf.function
def step(x, cache):
    total.assign_add(x)
    state["sum"].assign_add(x)
    x += 1
    cache = dict(cache)
    cache["n"] += 1
    return x, cache


print(step(tf.constant(1), {"n": 1})[0].numpy(), total.numpy(), state["sum"].numpy())
