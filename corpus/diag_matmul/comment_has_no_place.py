import tensorflow as tf

result = tf.matmul(  # refused: diag_matmul: it would lose the comment
    tf.linalg.diag(tf.range(20.0)),  # from light to heavy
    tf.ones([20, 5]),
)
