# for: both
# fidelity: tolerance
import tensorflow as tf


@tf.function(autograph=False)
def alternating(x):
    for i in range(90):
        # in every other turn
        if i % 2 == 0:  # 0, 2, 4
            x = x * 0.9
            # that was all
        # in between
        else:
            x = x + 0.1 * i
    return x


@tf.function
def with_a_walrus(x, n: int):
    if (more := n) > 3:
        x = x + more
    y = x
    for i in range(90):
        y = y * 1.01 if i < 3 and i != 2 else y * 0.9
        if i % 3 == 0:
            x = x * 0.9
        elif i % 3 == 1 or not i > 30:
            x = x + 1.0
            y = y * 0.99
        elif i == 80:
            y = y + 1
    return x, y


@tf.function
def with_a_match(x, kind: str):
    match kind:
        case "doubled":
            x = x * 2.0
        case _:
            x = x + 1.0
    late = False
    for i in range(90):
        if i == 70 or i == 75:
            late = True
        if not late:
            if i > 10:
                x = x * 0.9
            z = x * 2.0
            for j in range(3):
                if j == 1:
                    z = z + j
        else:
            z = x
        x = x * 0.5 + z * 0.01
    return x


def settle(x, otherwise):
    for _ in range(60):
        if tf.reduce_sum(x) > 10.0:
            x = x * 0.5
        else:
            x = x + otherwise
    return x


@tf.function
def compiled(x):
    return settle(x, tf.constant(0.3))


@tf.function(autograph=False)
def listed(x):
    rows = []
    h = x[0]
    for i in range(60):
        h = h * 0.5
        rows.append(h if i > 3 else x[i])
    return tf.stack(rows)


result = (
    alternating(tf.ones([2])),
    with_a_walrus(tf.ones([2]), 5),
    with_a_match(tf.ones([2]), "doubled"),
    compiled(tf.ones([2])),
    listed(tf.ones([60, 2])),
)
