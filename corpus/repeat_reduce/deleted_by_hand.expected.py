import tensorflow as tf


def process_element(element):
    result = element * 10000
    # by hand
    return result


def scaled(x: tf.Tensor, d):
    # An update of x
    step = tf.ones([3]) * d
    x = x + step
    del step

    total = tf.reduce_sum(3) * 1000
    print("total", total.numpy())
    return x, total


def twice(x: int):
    total = tf.reduce_sum(x) * 1000
    try:
        del copies
    except UnboundLocalError:
        total = total + 1
    return total


def at_the_end_of_a_turn(x: int):
    total = 0
    for _ in range(2):
        if x > 2:
            break
        total += tf.reduce_sum(x) * 1000
    return total


results = [one.numpy() for one in tf.data.Dataset.range(4).map(process_element)]
both = scaled(tf.ones([3]), 2.0)
more = twice(1), at_the_end_of_a_turn(1)
