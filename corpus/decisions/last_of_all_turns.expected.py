# for: both
import tensorflow as tf

x = tf.ones([3])
last = x
x = x.numpy()
last = last.numpy()
for i in range(200):
    x = x + 0.5
    last = x
x = tf.constant(x)
last = tf.constant(last)
print(last)
