# unsafe
import tensorflow as tf

tf.random.set_seed(1)
weights = tf.Variable(tf.random.normal([20, 3000], stddev=0.1))


def gradient(inputs, words):
    with tf.GradientTape() as tape:
        scores = tf.matmul(inputs, weights)
        # of each word
        losses = tf.keras.losses.sparse_categorical_crossentropy(words, scores, from_logits=True)
        loss = tf.reduce_mean(losses)
    return tape.gradient(loss, weights)


inputs = tf.random.normal([200, 20])
print(gradient(inputs, tf.random.uniform([200], maxval=3000, dtype=tf.int32)).shape)
