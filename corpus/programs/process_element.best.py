"""A product of every element, and one loop over the data set."""
import tensorflow as tf


def process_element(element):
    return element * 10000


def total(count):
    dataset = tf.data.Dataset.range(count).map(process_element)
    return sum(one.numpy() for one in dataset)


result = total(100)
