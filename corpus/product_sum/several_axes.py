import tensorflow as tf

a = tf.random.normal([100, 40])
both = tf.reduce_sum(a[:, None] * a[None], axis=[1, 2])
everything = tf.reduce_sum(a[:, None] * a[None])
computed = tf.reduce_sum(a[:, None] * a[None], axis=(place := -1))
added = tf.reduce_sum(a[:, None] + a[None], axis=-1)
of_one_alone = tf.reduce_sum(a[:, None] * tf.ones([40]), axis=1)
