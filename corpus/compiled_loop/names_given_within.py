import tensorflow as tf


def walrus(x):
    for _ in range(60):
        x = x * 0.5 + (y := tf.tanh(x))  # refused: compiled_loop: names are assigned inside of an expression
    return x + y


def matched(x, kind):
    for _ in range(60):
        x = tf.tanh(x)
        match kind:  # refused: compiled_loop: AutoGraph doesn't convert a match
            case "half":
                x = x * 0.5
            case _:
                x = x * 0.9
    return x


def rebound():
    total = tf.zeros([2])

    def add(x):
        nonlocal total
        total = total + x

    for _ in range(60):  # refused: compiled_loop: total, which the loop assigns, is known to other functions too
        total = tf.tanh(total) + 0.1
    add(total)
    return total


result = walrus(tf.ones([2])), matched(tf.ones([2]), "half"), rebound()
