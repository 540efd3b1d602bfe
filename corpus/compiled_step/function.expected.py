# for: both
# fidelity: tolerance
import tensorflow as tf
from tensorflow.keras import Model, layers


class Network(Model):
    def __init__(self):
        super().__init__()
        self.hidden = layers.Dense(16, activation=tf.nn.relu)
        self.out = layers.Dense(3)

    def call(self, x, is_training=False):
        x = self.out(self.hidden(x))
        if not is_training:
            x = tf.nn.softmax(x)
        return x


network = Network()
optimizer = tf.optimizers.Adam(0.01)


def cross_entropy(x, y):
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.cast(y, tf.int64), logits=x))


# One step.
@tf.function
def run_optimization(x, y):
    with tf.GradientTape() as g:
        loss = cross_entropy(network(x, is_training=True), y)
    trainable_variables = network.trainable_variables
    gradients = g.gradient(loss, trainable_variables)
    optimizer.apply_gradients(zip(gradients, trainable_variables))


dataset = tf.data.Dataset.from_tensor_slices((tf.ones([20, 4]), tf.zeros([20], tf.int32))).batch(8)
for step, (x, y) in enumerate(dataset.repeat(2)):
    run_optimization(x, y)
    if step % 2 == 0:
        print(float(cross_entropy(network(x, is_training=True), y)) < 2.0)
