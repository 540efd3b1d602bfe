# unsafe
import tensorflow as tf


class Trainer(tf.Module):
    def __init__(self):
        self.steps = -1
        self.weight = tf.Variable(1.0)

    @tf.function
    def step(self, x):
        self.steps += 1
        if tf.reduce_sum(x) > 0.0:
            self.weight.assign_add(self.weight * self.steps)
        return x - self.steps

    def done(self):
        return self.steps > 1


trainer = Trainer()
found = [float(trainer.step(tf.constant(1.0))) for _ in range(3)]
print(found, trainer.done(), float(trainer.weight))
del trainer
