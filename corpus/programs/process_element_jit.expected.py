"""Elements of a data set that are repeated 10,000 times and summed by a function that XLA compiles."""
import tensorflow as tf


@tf.function
def process_element(element):
    # Repeat the element, which needs memory
    result = element * 10000
    return result


def total(count):
    dataset = tf.data.Dataset.range(count).map(process_element)
    return sum(one.numpy() for one in dataset)


result = total(100)
