# unsafe
# peak at most: 0.5
import keras
import tensorflow as tf

keras.utils.set_random_seed(1)
head = keras.layers.Dense(8000)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
hidden = tf.Variable(tf.ones([1024, 16]))


def mean_by_rows(loss, rows, labels, *shared, layer):
    """The mean of a loss over rows, in eight blocks, each of which is computed again for its gradient."""
    if not rows.shape[0] or rows.shape[0] < 8:
        return loss(rows, labels, *shared)
    if not layer.built:
        layer(rows[:1])
    variables = layer.trainable_variables

    @tf.recompute_grad
    def of_block(rows, labels, *values):
        with keras.StatelessScope(list(zip(variables, values))):
            return loss(rows, labels, *values[len(variables) :]) * rows.shape[0]

    # Gradients reach what is an argument.
    labels, *values = [tf.convert_to_tensor(x) for x in (labels, *variables, *shared)]
    size = rows.shape[0] // 8
    whole = 8 * size
    blocks = tuple(tf.reshape(x[:whole], [8, size, *x.shape[1:]]) for x in (rows, labels))
    total = tf.reduce_sum(
        tf.map_fn(lambda block: of_block(*block, *values), blocks, fn_output_signature=rows.dtype, parallel_iterations=1)
    )
    if whole < rows.shape[0]:
        total += of_block(rows[whole:], labels[whole:], *values)
    return total / rows.shape[0]


def gradients(words):
    with tf.GradientTape() as tape:
        x = tf.tanh(hidden)

        def loss_of_rows(x, words):
            logits = head(x)
            return loss_fn(words, logits)

        loss = mean_by_rows(loss_of_rows, x, words, layer=head)
    return loss, tape.gradient(loss, [hidden, *head.trainable_variables])


result = gradients(tf.range(1024))
