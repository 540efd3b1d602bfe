import tensorflow as tf

device = "CPU:0"
try:
    print(sorted(tf.config.experimental.get_memory_info(device)))
    print(sorted(tf.config.experimental.get_memory_info(*[device])))
    print(sorted(tf.config.experimental.get_memory_info()))
except (TypeError, ValueError):
    print("no figures")
