import numpy as np
import tensorflow as tf
from tensorflow import Variable, add

v = Variable(tf.zeros([40, 5]))
d = tf.ones([40, 5])

v.assign(d + v)
v.assign(add(v, d))
v.assign(tf.math.subtract(x=v, y=d * 3))
v.assign(v.read_value() + d)
v.assign((v) + (d))
v.assign(v + np.ones([40, 5]))
v.assign(v + tf.square(v), read_value=False)
v.assign(
    v + d  # one more
)
v.assign(
    v
    - 0.5 * d,
    name="half",
)
after = v.assign(v + d * 2) + 1
result = v.read_value()
