import tensorflow as tf

table = tf.random.uniform([5000, 64], seed=1)
seen = []


def picked():
    seen.append(len(seen))
    return tf.constant([3, 17])


def scale():
    seen.append("scale")
    return 2.0


def look(table):
    return tf.gather(table * scale(), picked())


result = look(table), list(seen)
