# unsafe
import tensorflow as tf

images = tf.Variable(tf.random.stateless_normal([2100, 4], [1, 2]))
texts = tf.Variable(tf.random.stateless_normal([2100, 4], [3, 4]))


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


def gradients(places):
    total = 0.0
    with tf.GradientTape() as tape:
        a, b = tf.tanh(images), tf.tanh(texts)
        for temperature in [0.1, 0.5, 2.0]:
            def loss_of_rows(a, places, b, temperature=temperature):
                # Each as far as its own temperature goes, when its gradient is computed too.
                logits = tf.matmul(a, b, transpose_b=True)
                logits /= temperature
                return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=places, logits=logits))

            loss = mean_by_rows(loss_of_rows, a, places, b)
            total += loss
    return total, tape.gradient(total, [images, texts])


result = gradients(tf.range(2100))
