# peak at most: 0.5
import numpy as np
import tensorflow as tf

tf.random.set_seed(7)
x = np.ones((40000, 320), dtype=np.float32)
y = np.arange(40000)

data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(128)

order = 0
for epoch in range(2):
    for step, (rows, labels) in enumerate(data):
        order += step * int(tf.reduce_sum(labels) % 1000)
print(order, data.element_spec, len(data))
