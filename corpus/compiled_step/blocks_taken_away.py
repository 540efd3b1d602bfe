# for: both
# fidelity: tolerance
import keras
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [layers.Dense(4) for _ in range(2)]

    def shrink(self):
        self.blocks.pop()

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return x


model = Model()
optimizer = keras.optimizers.SGD(0.1)
losses = []
for epoch in range(3):
    x, y = tf.ones([2, 4]), tf.ones([2, 4])
    if epoch == 2:
        # A graph would go on with both blocks.
        model.shrink()
    with tf.GradientTape() as tape:  # refused: compiled_step: self.blocks.pop changes what a graph would keep
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    losses.append(float(loss))
