import tensorflow as tf


def process_element(element):
    # A large temporary
    result = element * 10000
    return result


results = [one.numpy() for one in tf.data.Dataset.range(4).map(process_element)]
