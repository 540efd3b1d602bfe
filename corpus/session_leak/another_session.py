import tensorflow as tf


class Session:
    def __init__(self):
        self.values = []

    def run(self, value):
        self.values.append(value)
        return value


sess = Session()
print(sess.run(tf.constant(1)).numpy())
