import tensorflow as tf

table = tf.random.normal([30, 4])
frozen = tf.Variable(table, trainable=False)
with tf.GradientTape() as tape:
    tape.watch([table, frozen])
    rows = tf.one_hot(tf.range(30), 30) @ table  # refused: one_hot_gather: takes gradients for more than its trained variables
    others = tf.one_hot(tf.range(30), 30) @ frozen  # refused: one_hot_gather: takes gradients for more than its trained variables
    loss = tf.reduce_sum(rows + others)
changes = [change.numpy() for change in tape.gradient(loss, [table, frozen])]
