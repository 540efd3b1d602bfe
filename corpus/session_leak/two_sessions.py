import tensorflow as tf

v1 = tf.compat.v1


def both(count):
    one, two = tf.Graph(), tf.Graph()
    with one.as_default():
        a = tf.constant(1) + 1
    with two.as_default():
        b = tf.constant(2) + 2
    for _ in range(count):
        first = v1.Session(graph=one)
        second = v1.Session(graph=two)
        with two.as_default():
            c = b * 2
        total = first.run(a) + second.run(b)
        total += second.run(c)
    return total


print(both(2))
