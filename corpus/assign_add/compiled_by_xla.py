import tensorflow as tf

v = tf.Variable(tf.zeros([30]))


@tf.function(jit_compile=True)
def step(d):
    v.assign(v + tf.ones([30]))  # refused: assign_add: XLA adds in place anyway
    return d


step(tf.ones([3]))
result = v.read_value()
