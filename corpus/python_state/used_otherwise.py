# unsafe
import json

import tensorflow as tf

state = {"n": 0, "m": 0}
steps = 0
total = 0.0
sizes = {}
size = "s"


@tf.function
def whole(x):
    state["n"] += 1  # refused: python_state: changed while a graph is traced
    return x + 1


@tf.function
def condition(x):
    global steps
    steps += 1  # refused: python_state: changed while a graph is traced
    if steps > 2:
        x = x * 2
    return x


@tf.function
def fraction(x):
    global total
    total += 0.5  # refused: python_state: changed while a graph is traced
    return x


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.log = []

    @tf.function
    def call(self, x):
        self.calls += 1  # refused: python_state: changed while a graph is traced
        self.log.append(1)  # refused: python_state: changed while a graph is traced
        return x


x = tf.constant(1)
print(whole(x).numpy(), condition(x).numpy(), fraction(x).numpy(), json.dumps(state))
model = Model()
model(x)
print(f"{model.calls} {len(model.log)}")
