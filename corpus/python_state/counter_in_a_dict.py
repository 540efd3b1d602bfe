# unsafe
import tensorflow as tf

state = {"n": 0, "name": "calls"}


@tf.function
def increment_state(x):
    state["n"] += 1  # every call
    return x + state["n"]


results = [increment_state(tf.constant(1)) for _ in range(3)] + [increment_state(tf.constant(0.5)) for _ in range(2)]
print(state["name"], state["n"], [float(one) for one in results])
