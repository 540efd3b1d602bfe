# for: both
import tensorflow as tf

x = tf.ones([3])
last = x
for i in range(200):
    x = x + 0.5
    last = x
print(last)
