import tensorflow as tf


@tf.function
def returns(x):
    for i in range(90):
        x = x * 0.9
        if i == 20:
            return x  # refused: while_loop: the loop returns from the function
    return -x


@tf.function
def asserts(x):
    for i in range(90):
        assert i < 90  # refused: while_loop: the loop asserts something
        x = x * 0.9
    return x


@tf.function
def catches(x):
    for i in range(90):
        try:  # refused: while_loop: exceptions are caught inside of the loop
            x = tf.add(x, 1.0)
        except ValueError:
            x = x * 2.0
    return x


@tf.function
def raises(x):
    for i in range(90):
        x = x * 0.9
        if i > 100:
            raise ValueError(i)  # refused: while_loop: the loop raises an exception
    return x


@tf.function
def defines(x):
    for i in range(90):
        def scaled(y):  # refused: while_loop: functions are defined inside of the loop
            return y * 0.9

        x = scaled(tf.abs(x))
    return x


@tf.function
def deletes(x):
    for i in range(90):
        y = x * 0.9
        x = y + 1.0
        del y  # refused: while_loop: the loop deletes names
    return x


@tf.function
def comprehends(x):
    for i in range(90):
        x = tf.add_n([x * k for k in (0.1, 0.2)])  # refused: while_loop: a comprehension is inside of the loop
    return x


@tf.function
def collects(x):
    for i in range(90):
        parts = {"x": x}  # refused: while_loop: dictionaries and sets are made inside of the loop
        x = tf.tanh(parts["x"])
    return x


@tf.function
def imports(x):
    for i in range(90):
        import math  # refused: while_loop: the loop imports something

        x = x * math.tau / 7.0
    return x


@tf.function
def unpacks(x):
    for i in range(90):
        y = [x, x]
        x = tf.add(*y) * 0.5  # refused: while_loop: something is unpacked inside of the loop
    return x


@tf.function
def names_the_graph(x):
    for i in range(90):
        with tf.name_scope("turn"):  # refused: while_loop: a with block is inside of the loop
            x = x * 0.9
    return x


turns = 0


@tf.function
def counts(x):
    for i in range(90):
        global turns
        turns += 1
        x = x * 0.9
    return x


x = tf.ones([2])
left, undone = [returns(x), raises(x)], [asserts(x), catches(x), deletes(x)]
made = [defines(x), comprehends(x), collects(x), imports(x), unpacks(x), names_the_graph(x), counts(x)]
