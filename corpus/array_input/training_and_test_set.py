import numpy as np
import tensorflow as tf

BATCH_SIZE = 64

tf.random.set_seed(1)
np.random.seed(0)
x_train = np.random.rand(30000, 28, 28).astype("float32")
y_train = np.random.randint(0, 10, size=30000)
x_test = np.random.rand(8000, 28, 28).astype("float32")
y_test = np.random.randint(0, 10, size=8000)

# Prepare the training dataset.
train_dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train_dataset = train_dataset.shuffle(buffer_size=1024).batch(BATCH_SIZE)

# Prepare the test dataset.
test_dataset = tf.data.Dataset.from_tensor_slices((x_test, y_test))
test_dataset = test_dataset.batch(BATCH_SIZE)

first = [(float(tf.reduce_sum(x)), y.numpy().tolist()) for x, y in train_dataset.take(3)]
total = sum(float(tf.reduce_sum(x)) for x, y in test_dataset)
