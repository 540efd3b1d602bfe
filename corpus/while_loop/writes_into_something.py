import tensorflow as tf

latest = {}


class Model(tf.Module):
    @tf.function
    def run(self):
        x = tf.ones([2])
        for i in range(90):
            x = x * 0.9
            self.last = i  # refused: while_loop: the loop changes self.last
        return x


@tf.function
def stored(x):
    for i in range(90):
        x = x * 0.9
        latest["turn"] = i  # refused: while_loop: the loop writes into latest
    return x


@tf.function
def counted(x):
    for i in range(90):
        for latest["turn"] in range(3):  # refused: while_loop: the loop's target is not a name
            x = x * 0.9
    return x


model = Model()
result = model.run(), stored(tf.ones([2])), counted(tf.ones([2]))
del model
