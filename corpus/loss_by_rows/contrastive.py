# unsafe
# peak at most: 0.5
import keras
import tensorflow as tf

tf.random.set_seed(1)
images = tf.Variable(tf.random.stateless_normal([2500, 8], [1, 2]))
texts = tf.Variable(tf.random.stateless_normal([2500, 8], [3, 4]))
temperature = 0.5


def contrastive_loss(a, b, places):
    similarities = tf.matmul(a, b, transpose_b=True) / temperature
    return tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(places, similarities, from_logits=True))


with tf.GradientTape() as tape:
    loss = contrastive_loss(tf.nn.l2_normalize(images, 1), tf.nn.l2_normalize(texts, 1), tf.range(2500))
gradients = tape.gradient(loss, [images, texts])
