# for: both
# fidelity: tolerance
# deletes: tape, logits, grads
import keras
import tensorflow as tf
from keras import layers

keras.utils.set_random_seed(1)


class Block(layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.attention = layers.MultiHeadAttention(2, width // 2)
        self.feed_forward = keras.Sequential([layers.Dense(2 * width, activation="relu"), layers.Dense(width)])
        self.norm = layers.LayerNormalization()
        self.dropout = layers.Dropout(0.1)

    def call(self, x, training=None):
        x = x + self.dropout(self.attention(x, x), training=training)
        return x + self.feed_forward(self.norm(x))


class Model(keras.Model):
    def __init__(self, vocabulary, length, width):
        super().__init__()
        self.tokens = layers.Embedding(vocabulary, width)
        self.positions = layers.Embedding(length, width)
        self.blocks = [Block(width) for _ in range(2)]
        self.head = layers.Dense(2)

    def call(self, tokens, training=None):
        x = self.tokens(tokens) + self.positions(tf.range(tf.shape(tokens)[1]))
        for block in self.blocks:
            x = block(x, training=training)
        return self.head(x[:, 0])


model = Model(20, 6, 8)
optimizer = keras.optimizers.SGD(0.1)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
dataset = tf.data.Dataset.from_tensor_slices((tf.ones([9, 6], tf.int32), tf.zeros([9], tf.int32))).batch(3)

losses = []


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = loss_fn(y, logits)
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    return loss


for epoch in range(2):
    for step, (x, y) in enumerate(dataset):
        loss = train_step(x, y)
        losses.append(float(loss))
print(losses)
