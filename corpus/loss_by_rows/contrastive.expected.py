# unsafe
# peak at most: 0.5
import keras
import tensorflow as tf

tf.random.set_seed(1)
images = tf.Variable(tf.random.stateless_normal([2500, 8], [1, 2]))
texts = tf.Variable(tf.random.stateless_normal([2500, 8], [3, 4]))
temperature = 0.5


def mean_by_rows(loss, rows, labels, *shared):
    """The mean of a loss over rows, in eight blocks, each of which is computed again for its gradient."""
    if not rows.shape[0] or rows.shape[0] < 8:
        return loss(rows, labels, *shared)

    @tf.recompute_grad
    def of_block(rows, labels, *shared):
        return loss(rows, labels, *shared) * rows.shape[0]

    # Gradients reach what is an argument.
    labels, *shared = [tf.convert_to_tensor(x) for x in (labels, *shared)]
    size = rows.shape[0] // 8
    whole = 8 * size
    blocks = tuple(tf.reshape(x[:whole], [8, size, *x.shape[1:]]) for x in (rows, labels))
    total = tf.reduce_sum(
        tf.map_fn(lambda block: of_block(*block, *shared), blocks, fn_output_signature=rows.dtype, parallel_iterations=1)
    )
    if whole < rows.shape[0]:
        total += of_block(rows[whole:], labels[whole:], *shared)
    return total / rows.shape[0]


def contrastive_loss(a, b, places):
    def loss_of_rows(a, places, b):
        similarities = tf.matmul(a, b, transpose_b=True) / temperature
        return tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(places, similarities, from_logits=True))

    return mean_by_rows(loss_of_rows, a, places, b)


with tf.GradientTape() as tape:
    loss = contrastive_loss(tf.nn.l2_normalize(images, 1), tf.nn.l2_normalize(texts, 1), tf.range(2500))
gradients = tape.gradient(loss, [images, texts])
