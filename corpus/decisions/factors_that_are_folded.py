# for: both
import tensorflow as tf


def there_and_back(metres, turns):
    same = tf.zeros_like(metres)
    for _ in range(turns):  # refused: compiled_loop: `feet == metres * (3.2808 * 0.3048)` depends on a value that is rounded differently
        feet = metres * 3.2808 * 0.3048
        same = same + tf.cast(feet == metres * (3.2808 * 0.3048), tf.float32)
        metres = metres + 0.5
    return same


same = there_and_back(tf.range(500, dtype=tf.float32) * 0.25, 40)
print("done")
