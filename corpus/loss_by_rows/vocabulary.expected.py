# unsafe
# peak at most: 0.5
import tensorflow as tf

tf.random.set_seed(1)
hidden = tf.Variable(tf.ones([1030, 16]))
kernel = tf.Variable(tf.random.stateless_normal([16, 8000], [1, 2]))
bias = tf.Variable(tf.zeros([8000]))


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


def gradients(words):
    with tf.GradientTape() as tape:
        x = tf.tanh(hidden)

        def loss_of_rows(x, words, kernel, bias):
            logits = tf.matmul(x, kernel) + bias  # a result for each word
            return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=logits))

        loss = mean_by_rows(loss_of_rows, x, words, kernel, bias)
    return loss, tape.gradient(loss, [hidden, kernel, bias])


result = gradients(tf.range(1030))
