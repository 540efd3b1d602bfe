# unsafe
"""A function of the graph that counts its calls in a dict outside."""
import tensorflow as tf

state = {"counter": tf.Variable(0, dtype=tf.int64, trainable=False)}


@tf.function
def increment_state(x):
    state["counter"].assign_add(1)
    return x + tf.cast(state["counter"], x.dtype)


x = tf.constant(1)
results = [increment_state(x).numpy() for _ in range(3)]
last = increment_state(x)
