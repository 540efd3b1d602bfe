import numpy as np
import tensorflow as tf

BATCH_SIZE = 64

tf.random.set_seed(1)
np.random.seed(0)
x_train = np.random.rand(30000, 28, 28).astype("float32")
y_train = np.random.randint(0, 10, size=30000)
x_test = np.random.rand(8000, 28, 28).astype("float32")
y_test = np.random.randint(0, 10, size=8000)


def rows_of(arrays):
    """Pick rows of arrays by their indices, where a dataset of the arrays would hold a copy."""
    flat = tf.nest.flatten(arrays)
    dtypes = [array.dtype for array in flat]

    def pick(indices):
        rows = tf.numpy_function(lambda i: [array[i] for array in flat], [indices], dtypes)
        for row, array in zip(rows, flat):
            row.set_shape(indices.shape + array.shape[1:])
        return tf.nest.pack_sequence_as(arrays, rows)

    return pick


# Prepare the training dataset.
train_dataset = tf.data.Dataset.range(len(x_train))
train_dataset = train_dataset.shuffle(buffer_size=1024).batch(BATCH_SIZE).map(
    rows_of((x_train, y_train))
)

# Prepare the test dataset.
test_dataset = tf.data.Dataset.range(len(x_test))
test_dataset = test_dataset.batch(BATCH_SIZE).map(rows_of((x_test, y_test)))

first = [(float(tf.reduce_sum(x)), y.numpy().tolist()) for x, y in train_dataset.take(3)]
total = sum(float(tf.reduce_sum(x)) for x, y in test_dataset)
