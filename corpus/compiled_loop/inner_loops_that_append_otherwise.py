import tensorflow as tf


def triangle(x):
    out = []
    for i in range(20):
        for j in range(i + 1):
            out.append(x * i + j)  # refused: compiled_loop: how many iterations append to out is not the same in every iteration of the outer loop
    return tf.stack(out)


def upper(x):
    out = []
    for i in range(20):
        for j in range(20):
            if j > i:
                out.append(x * i + j)  # refused: compiled_loop: out is appended to in some iterations only
    return tf.stack(out)


def skipping(x):
    out = []
    for i in range(20):
        if i == 3:
            continue
        for j in range(20):
            out.append(x * i + j)  # refused: compiled_loop: out is appended to in some iterations only
    return tf.stack(out)


def mixed(x):
    out = []
    for i in range(20):
        out.append(x * i)  # refused: compiled_loop: out is appended to in more than one place, and one of them in an inner loop
        for j in range(20):
            out.append(x + j)
    return tf.stack(out)


def chained(x):
    out = [x]
    for i in range(20):
        for j in range(20):
            out.append(out[-1] * 0.5 + i)  # refused: compiled_loop: out is read while it is appended to
    return tf.stack(out)


def until(x):
    out = []
    for i in range(20):
        j = 0
        while j < 9:
            out.append(x * i + j)  # refused: compiled_loop: how many iterations append to out is not known before the loop
            j += 1
    return tf.stack(out)


def in_front(x):
    out = []
    for i in range(20):
        for j in range(20):
            out.insert(0, x * i + j)  # refused: compiled_loop: the final index in out of an element inserted in front is not known
    return tf.stack(out)


def state(x, m):
    out = []
    for i in range(20):
        x = x * 0.5 + i
        for j in range(m):  # refused: compiled_loop: out has no element where this loop has no iteration, and what else the outer loop assigns
            out.append(x * j)
    return tf.stack(out), x


def divided(x, m):
    out = []
    for i in range(60):
        k = 10 // m  # refused: compiled_loop: k = 10 // m may raise, or do more, where the inner loop has no iteration
        for j in range(m):
            out.append(x * k + j)
    return tf.stack(out)


def begun(x):
    rows = []
    for i in range(20):
        row = [x]
        for j in range(2):  # refused: compiled_loop: row does not begin empty in each iteration of the outer loop
            row.append(x * i + j)
        rows.append(tf.stack(row))
    return tf.stack(rows)


def sometimes(x):
    s = tf.zeros([2, 2])
    for i in range(20):
        row = []
        for j in range(2):
            row.append(x * i + j)
        if i > 4:
            s = tf.stack(row)  # refused: compiled_loop: row is not joined in each iteration of the outer loop
    return s


def twice(x):
    rows, more = [], []
    for i in range(20):
        row = []
        for j in range(2):  # refused: compiled_loop: row is read in another way than by joining it in each iteration
            row.append(x * i + j)
        rows.append(tf.stack(row))
        more.append(tf.stack(row))
    return tf.stack(rows), tf.stack(more)


x = tf.constant([1.0, 2.0])
first = triangle(x), upper(x), skipping(x), mixed(x), chained(x), until(x), in_front(x)
second = state(x, 2), state(x, 0), divided(x, 2), divided(x, 3), begun(x), sometimes(x), twice(x)
