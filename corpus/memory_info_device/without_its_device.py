# raises
import tensorflow as tf

x = tf.ones([1000])
print(tf.config.experimental.get_memory_info()["peak"])  # refused: memory_info_device: raises without its name
