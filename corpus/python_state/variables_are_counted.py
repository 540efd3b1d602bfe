# unsafe
import tensorflow as tf


class Trainer(tf.Module):
    def __init__(self):
        self.steps = 0
        self.weight = tf.Variable(1.0)

    @tf.function
    def step(self, x):
        self.steps += 1  # refused: python_state: while a graph is traced
        return x * self.weight - self.steps


trainer = Trainer()
results = [trainer.step(tf.constant(1.0)) for _ in range(3)], len(trainer.variables)
del trainer
