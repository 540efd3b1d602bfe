import tensorflow as tf


@tf.function
def scaled(x, k):
    return x * k


x = tf.ones([3])
rows = []
for i in range(12):
    rows.append(scaled(x, tf.constant(i *
                           2.0, tf.float32)))
for i in range(12):
    rows.append(scaled(x, tf.constant(last := i + 1.0, tf.float32)))
temperature = 1.0
while temperature > 0.001:
    temperature *= 0.5
    rows.append(scaled(x, tf.constant(temperature, tf.float32)))
result = tf.reduce_sum(tf.stack(rows), 0), last
