import numpy as np
import tensorflow as tf
from tensorflow import Variable, add

v = Variable(tf.zeros([40, 5]))
d = tf.ones([40, 5])

v.assign_add(d)
v.assign_add(d)
v.assign_sub(d * 3)
v.assign_add(d)
v.assign_add(d)
v.assign_add(np.ones([40, 5]))
v.assign_add(tf.square(v), read_value=False)
v.assign_add(
    d  # one more
)
v.assign_sub(
    0.5 * d,
    name="half",
)
after = v.assign_add(d * 2) + 1
result = v.read_value()
