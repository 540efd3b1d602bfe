"""Elements of a data set that are repeated 10,000 times and summed, with the temporary deleted by hand."""
import tensorflow as tf


def process_element(element):
    # Repeat the element, which needs memory
    temp = tf.repeat(element, 10000)
    result = tf.reduce_sum(temp)
    del temp
    return result


def total(count):
    dataset = tf.data.Dataset.range(count).map(process_element)
    return sum(one.numpy() for one in dataset)


result = total(100)
