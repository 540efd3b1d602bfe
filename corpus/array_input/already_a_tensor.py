import tensorflow as tf

x = tf.ones((30000, 50))
data = tf.data.Dataset.from_tensor_slices(x).batch(1000)
total = sum(float(tf.reduce_sum(batch)) for batch in data)
print(total)
