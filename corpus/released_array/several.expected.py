# peak at most: 0.8
# deletes: x_train, x_test
import numpy as np
import tensorflow as tf

x_train = np.random.rand(4000, 1000)
x_test = np.random.rand(1000, 1000)
print(x_train.shape, x_test.shape)
scaled = np.concatenate([x_train, x_test])
del x_train, x_test
total = 0.0
for _ in range(3):
    total += tf.reduce_sum(tf.constant(scaled) * 2.0)
