"""A function of the graph that counts its calls in a dict outside."""
import tensorflow as tf

state = {"counter": 0}


@tf.function
def increment_state(x):
    state["counter"] += 1  # refused: python_state: changed while a graph is traced, and not when it is called
    return x + state["counter"]


x = tf.constant(1)
results = [increment_state(x).numpy() for _ in range(3)]
last = increment_state(x)
