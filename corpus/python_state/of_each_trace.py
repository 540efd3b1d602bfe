import tensorflow as tf

counter = {"n": 0}
deep = 0
found = []


def unique(name):
    counter["n"] += 1
    return f"{name}_{counter['n']}"


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.losses = []
        self.notes = []
        self.depth = 0

    def regularized(self, x):
        self.losses.append(tf.reduce_sum(x))
        return x * 2

    @tf.function
    def __call__(self, x):
        self.losses.clear()
        del self.notes[:]
        with tf.name_scope(unique("call")):
            for factor in (1.0, 2.0):
                self.notes.append(factor)
                self.losses.append(tf.reduce_sum(x * factor))
            self.depth += 1
            x = self.inner(x)
            self.depth -= 1
        return x + tf.add_n(self.losses) + len(self.notes)

    def inner(self, x):
        global deep
        deep += 1
        try:
            return x * float(deep)
        finally:
            deep -= 1


@tf.function
def listed(x):
    found[:] = []
    found.append(x)
    name = "of_" + str(counter["n"])
    return tf.add(found[0], 1, name=name)


model = Model()
x = tf.constant([1.0, 2.0])
print([model(x).numpy().tolist(), model(x).numpy().tolist(), listed(x).numpy().tolist(), model.depth, deep])
