# for: both
import tensorflow as tf

money = tf.range(1, 300, dtype=tf.float32)
for _ in range(60):  # refused: compiled_loop: `money * 1000.0` magnifies a rounding error
    money = money + money * 0.07 - money / 13.0
cents = tf.cast(money * 1000.0, tf.int32)
print(int(tf.reduce_sum(cents)))
