# unsafe
import tensorflow as tf

state = {"n": tf.Variable(0, dtype=tf.int64, trainable=False), "name": "calls"}


@tf.function
def increment_state(x):
    state["n"].assign_add(1)  # every call
    return x + tf.cast(state["n"], x.dtype)


results = [increment_state(tf.constant(1)) for _ in range(3)] + [increment_state(tf.constant(0.5)) for _ in range(2)]
print(state["name"], int(state["n"]), [float(one) for one in results])
