# unsafe
import keras
import tensorflow as tf

keras.utils.set_random_seed(1)


class Block(keras.Layer):
    def __init__(self, width):
        super().__init__()
        self.dense = keras.layers.Dense(width, activation="tanh")
        self.gate = keras.layers.Dense(width, activation="sigmoid")

    def call(self, pair):
        x, skip = pair
        return self.dense(x) * self.gate(skip), tf.reduce_mean(skip, axis=-1)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [Block(4), Block(4), Block(4)]

    def call(self, first):
        x = first
        scores = []
        for block in self.blocks:
            x, score = block([x, first])
            scores.append(score)
        return x, scores


model = Model()
x = tf.random.normal([3, 4], seed=1)
with tf.GradientTape() as tape:
    tape.watch(x)
    result, scores = model(x)
    loss = tf.reduce_sum(result) + tf.reduce_sum(scores[2])
gradients = tape.gradient(loss, [x, *model.trainable_variables])
print(float(loss), [float(tf.reduce_sum(one)) for one in gradients])
