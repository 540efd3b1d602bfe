# unsafe
# peak at most: 0.5
import keras
import tensorflow as tf

keras.utils.set_random_seed(1)
head = keras.layers.Dense(8000)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
hidden = tf.Variable(tf.ones([1024, 16]))


@tf.function
def gradients(words):
    with tf.GradientTape() as tape:
        x = tf.tanh(hidden)
        logits = head(x)
        loss = loss_fn(words, logits)
    return loss, tape.gradient(loss, [hidden, *head.trainable_variables])


result = gradients(tf.range(1024))
