# for: both
import tensorflow as tf


def interest(money, turns):
    for _ in range(turns):  # refused: compiled_loop: a text shows a value so that another rounding shows (`{:.2f}`)
        money = money + money * 0.03 - money / 49.0
    return money


bills = [f"{float(one):.2f} Euro" for one in interest(tf.range(1000, 1100, dtype=tf.float32) * 10.0, 60)]
print("done")
