# unsafe
import tensorflow as tf

tf.random.set_seed(1)
hidden = tf.Variable(tf.ones([1024, 4]))
head = tf.keras.layers.Dense(5000)
head.build([None, 4])


@tf.function
def gradients(words):
    with tf.GradientTape() as tape:
        x = tf.tanh(hidden)
        logits = head(x)  # refused: loss_by_rows: a loop of a graph can't take the gradient of a layer's own variables
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=logits))
    return loss, tape.gradient(loss, head.trainable_variables)


result = gradients(tf.range(1024))
