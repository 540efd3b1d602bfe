# for: both
import tensorflow as tf

w = tf.Variable(tf.zeros([500, 200]))
for i in range(100):  # refused: compiled_loop: nothing reads what the loop computes
    w.assign(w + 0.1)
print(w.shape)
