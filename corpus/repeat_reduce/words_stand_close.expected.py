import tensorflow as tf

one = tf.ones([], tf.int64)
values = [1for _ in range(2)if(one * 65)]
value = 1if(one * 65)else 0
