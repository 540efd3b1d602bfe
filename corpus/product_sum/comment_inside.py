import tensorflow as tf

m = tf.random.normal([400, 400])
sums = tf.reduce_sum(  # refused: product_sum: it would lose the comment
    m
    # the weights of the columns
    * tf.ones([400]),
    axis=1,
)
