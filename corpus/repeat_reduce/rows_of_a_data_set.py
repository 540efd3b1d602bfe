import tensorflow as tf


def process_element(element):
    # A large temporary
    temp = tf.repeat(element, 10000)
    result = tf.reduce_sum(temp)
    return result


results = [one.numpy() for one in tf.data.Dataset.range(4).map(process_element)]
