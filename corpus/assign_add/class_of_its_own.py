import tensorflow as tf


class Box:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return self.value + other

    def assign(self, value):
        self.value = value * 2


box = Box(tf.zeros([30]))
box.assign(box + tf.ones([30]))  # refused: assign_add: box is not known to be a tf.Variable
result = box.value
