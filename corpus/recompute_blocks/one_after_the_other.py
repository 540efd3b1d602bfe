# unsafe
import keras
import tensorflow as tf
from keras import layers

keras.utils.clear_session()
keras.utils.set_random_seed(1)


class Residual(layers.Layer):
    def __init__(self, filters):
        super().__init__()
        self.first = layers.Conv2D(filters, 3, padding="same")
        self.norm = layers.BatchNormalization()
        self.second = layers.Conv2D(filters, 3, padding="same")

    def call(self, x, training=None):
        return x + self.second(tf.nn.relu(self.norm(self.first(x), training=training)))


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.stem = layers.Conv2D(4, 3, padding="same")
        self.stage1 = self.stage(2)
        self.stage2 = self.stage(2)
        self.stage3 = self.stage(1)
        self.head = layers.Dense(2)

    def stage(self, blocks):
        return keras.Sequential([Residual(4) for _ in range(blocks)])

    def call(self, x, training=None):
        x = self.stem(x)
        x = self.stage1(x, training=training)
        x = self.stage2(x, training=training)
        x = self.stage3(x, training=training)
        return self.head(tf.reduce_mean(x, [1, 2]))


model = Net()
x = tf.random.normal([4, 8, 8, 3], seed=3)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(model(x, training=True)))
gradients = tape.gradient(loss, model.trainable_variables)
print(float(loss), [variable.path for variable in model.variables][-3:])
statistics = [variable.numpy() for variable in model.non_trainable_variables]
