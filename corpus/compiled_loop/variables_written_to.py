import tensorflow as tf

total = tf.Variable(tf.zeros([2]))


def accumulate(x):
    for i in range(60):
        x = tf.sin(x)
        total.scatter_nd_add([[0]], x[:1])  # refused: compiled_loop: total.scatter_nd_add
    return x


class Average:
    def __init__(self):
        self.count = 0

    def update(self):
        x = tf.ones([2])
        for i in range(60):
            x = tf.sin(x)
            self.count += 1  # refused: compiled_loop: the loop changes self.count
        return x


average = Average()
result = accumulate(tf.ones([2])), average.update()
del average
