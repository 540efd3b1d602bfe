import tensorflow as tf


class Schedule:
    def __init__(self):
        self.asked = 0

    @property
    def rate(self):
        self.asked += 1
        return 0.5

    def run(self):
        x = tf.ones([2])
        for _ in range(60):
            x = tf.tanh(x) * self.rate  # refused: compiled_loop: reading self.rate may run code of this file
        return x


schedule = Schedule()
result = schedule.run(), schedule.asked
del schedule
