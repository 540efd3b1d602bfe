# for: both
import tensorflow as tf


def smooth(signal, turns):
    for _ in range(turns):  # refused: compiled_loop: an operation depends on a value that is rounded differently
        signal = tf.nn.conv1d(signal * 0.9, tf.constant([[[0.3]], [[0.5]], [[0.3]]]), 1, "SAME") + 0.1
    return signal


print(int(tf.argmax(smooth(tf.reshape(tf.sin(tf.range(300.0)) + 2.0, [1, 300, 1]), 80)[0, :, 0])))
