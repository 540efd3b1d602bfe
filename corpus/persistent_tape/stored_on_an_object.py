import tensorflow as tf


class Trainer:
    def __init__(self):
        self.w = tf.Variable(tf.ones([5]))

    def record(self):
        with tf.GradientTape(persistent=True) as self.tape:  # refused: persistent_tape: stored where others may use it again
            self.loss = tf.reduce_sum(self.w**2)
        return self.tape.gradient(self.loss, self.w)


trainer = Trainer()
result = [trainer.record(), trainer.tape.gradient(trainer.loss, trainer.w)]
del trainer
