import tensorflow as tf


def process_element(element):
    temp = tf.repeat(element, 10000)
    result = tf.reduce_sum(temp)
    del temp  # by hand
    return result


def scaled(x: tf.Tensor, d):
    # An update of x
    step = tf.ones([3]) * d
    x = x + step
    del step

    copies = tf.repeat(3, 1000)
    total = tf.reduce_sum(copies)
    print("total", total.numpy())
    del copies
    return x, total


def twice(x: int):
    copies = tf.repeat(x, 1000)
    total = tf.reduce_sum(copies)
    del copies
    try:
        del copies
    except UnboundLocalError:
        total = total + 1
    return total


def at_the_end_of_a_turn(x: int):
    total = 0
    for _ in range(2):
        copies = tf.repeat(x, 1000)
        if x > 2:
            break
        total += tf.reduce_sum(copies)
        del copies
    return total


results = [one.numpy() for one in tf.data.Dataset.range(4).map(process_element)]
both = scaled(tf.ones([3]), 2.0)
more = twice(1), at_the_end_of_a_turn(1)
