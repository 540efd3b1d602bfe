import tensorflow as tf

one = tf.ones([], tf.int64)
values = [1 for _ in range(2) if(one * 65)]
value = 1 if(one * 65)else 0
