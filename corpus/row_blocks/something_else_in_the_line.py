import tensorflow as tf

centres = tf.Variable(tf.random.normal([500, 16], seed=2))


def moved():
    centres.assign_add(tf.ones([500, 16]))
    return 1.0


def nearest(points):
    apart = points[:, None] - centres
    return moved() + tf.reduce_min(tf.norm(apart, axis=-1), axis=1)  # refused: row_blocks: moved() is evaluated with it


def printed(points):
    apart = points[:, None] - centres
    print("so many:", len(points))
    return tf.reduce_min(tf.norm(apart, axis=-1), axis=1)


def on_several_lines(points):
    apart = points[:, None] - centres
    return \
        tf.reduce_min(tf.norm(apart, axis=-1), axis=1)  # refused: row_blocks: its statement spans several lines


def in_one_line(points):
    apart = points[:, None] - centres; return tf.norm(apart, axis=-1)  # refused: row_blocks: it shares its line with another statement


def given_anew(points):
    apart = points[:, None] - centres
    least = (points := tf.ones([800])) + tf.reduce_min(tf.norm(apart, axis=-1), axis=1)  # refused: row_blocks: points := tf.ones([800]) is evaluated
    return least, points


points = tf.random.normal([800, 16], seed=1)
both = given_anew(points)
least, other, more, last = nearest(points), printed(points), on_several_lines(points), in_one_line(points)
