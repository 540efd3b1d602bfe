import tensorflow as tf

state = {"n": 0}


@tf.function
def increment_state(x):
    state["n"] += 1  # refused: python_state: changed while a graph is traced, and not when it is called
    return x + state["n"]


print(increment_state(tf.constant(1)).numpy(), increment_state(tf.constant(1)).numpy())
