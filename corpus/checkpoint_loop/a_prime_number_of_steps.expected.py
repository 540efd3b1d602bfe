import tensorflow as tf

rate = tf.Variable(0.1)
speed = tf.Variable(tf.ones([100, 80]))


def slope(place, time):
    return tf.sin(place * speed) * tf.exp(-0.1 * time)


def gradient_of(place):
    with tf.GradientTape() as tape:
        # Between segments the tape keeps the states alone: the steps of one are computed again for the gradient.
        def segment(start, stop):
            def steps(place):
                for number in range(start, stop):
                    place = place + rate * slope(place, number * 0.1)
                return place

            return steps if stop == 211 else tf.recompute_grad(steps)

        for start in range(0, 211, 15):
            place = segment(start, min(start + 15, 211))(place)
        distance = tf.reduce_sum(tf.abs(place))
    return tape.gradient(distance, [rate, speed])


gradients = gradient_of(tf.ones([100, 80]))
print(len(gradients))
