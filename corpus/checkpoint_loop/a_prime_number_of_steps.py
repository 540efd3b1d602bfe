import tensorflow as tf

rate = tf.Variable(0.1)
speed = tf.Variable(tf.ones([100, 80]))


def slope(place, time):
    return tf.sin(place * speed) * tf.exp(-0.1 * time)


def gradient_of(place):
    with tf.GradientTape() as tape:
        for number in range(211):
            place = place + rate * slope(place, number * 0.1)
        distance = tf.reduce_sum(tf.abs(place))
    return tape.gradient(distance, [rate, speed])


gradients = gradient_of(tf.ones([100, 80]))
print(len(gradients))
