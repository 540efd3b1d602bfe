"""Second derivatives: the outer tape is asked twice, the inner one once."""
import tensorflow as tf

x = tf.constant(3.0)
with tf.GradientTape(persistent=True) as outer, tf.GradientTape(persistent=True) as inner:
    outer.watch(x)
    inner.watch(x)
    y = x**4
    slope = inner.gradient(y, x)
curvature = outer.gradient(slope, x)
again = outer.gradient(y, x)
