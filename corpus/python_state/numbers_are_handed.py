# unsafe
import tensorflow as tf

state = {"calls": 0}


@tf.function
def step(x):
    state["calls"] += 1  # refused: python_state: while a graph is traced
    return x + state["calls"]


class Counter(tf.Module):
    def __init__(self):
        self.times = 0

    @tf.function
    def step(self, x):
        self.times += 1  # refused: python_state: while a graph is traced
        return x * self.times


def counted():
    times = 0

    @tf.function
    def more(x):
        nonlocal times
        times += 1  # refused: python_state: while a graph is traced
        return x + times

    return more


results = [step(1) for _ in range(3)]
counter = Counter()
others = [counter.step(2.0), counter.step(x=tf.constant(2.0))]
more = counted()
last = more(1)
del counter, more
