import tensorflow as tf

names = {"n": 0}
shown = {"n": 0}
kept = []
emptied = []
branch = 0


def unique(name):
    names["n"] += 1  # refused: python_state: changed while a graph is traced
    return f"{name}_{names['n']}"


@tf.function
def step(x):
    global branch
    with tf.name_scope(unique("step")):
        x = x + 1
    shown["n"] += 1  # refused: python_state: changed while a graph is traced
    print(f"step {shown['n']}")
    branch += 1  # refused: python_state: changed while a graph is traced
    x = x * 2
    branch -= 2  # refused: python_state: changed while a graph is traced
    if x.shape.rank == 1:
        kept.clear()
    kept.append(1)  # refused: python_state: changed while a graph is traced
    emptied.clear()  # refused: python_state: changed while a graph is traced
    return x


emptied.append(1)
print(step(tf.constant(1.0)).numpy(), step(tf.constant(1.0)).numpy(), f"{names['n']} scopes", len(kept), branch)
