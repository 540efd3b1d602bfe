# unsafe
import tensorflow as tf

table = tf.Variable(tf.ones([100, 4]))
optimizer = tf.keras.optimizers.Adam(0.1)


def looked_up(ids):
    return tf.reduce_sum(tf.matmul(tf.one_hot(ids % 100, 100), table))  # refused: one_hot_gather: may be trained


tape = tf.GradientTape()
tape.__enter__()
loss = looked_up(tf.constant([1, 1, 2, 3]))
tape.__exit__(None, None, None)
optimizer.apply_gradients([(tape.gradient(loss, table), table)])
loss = looked_up(tf.constant([2, 3, 4, 5]))
tape = tf.GradientTape()
tape.__enter__()
loss = looked_up(tf.constant([2, 3, 4, 5]))
tape.__exit__(None, None, None)
optimizer.apply_gradients([(tape.gradient(loss, table), table)])
trained = table.numpy()
