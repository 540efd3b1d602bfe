# peak at most: 0.5
import numpy as np
import tensorflow as tf

SCALE = 127.5
frames = np.tile(np.arange(256, dtype=np.uint8), 160000).reshape(2500, 128, 128)

pairs = (
    tf.data.Dataset.from_tensor_slices((frames, np.arange(2500)))
    # one after the other
    .map(lambda frame, i: (frame[..., tf.newaxis], i), num_parallel_calls=tf.data.AUTOTUNE)
    .map(lambda frame, i: ((tf.cast(frame, tf.float32) - SCALE) / SCALE, i))
    .batch(10, drop_remainder=True)
    .prefetch(2)
)

sums = [(float(tf.reduce_sum(frame)), int(tf.reduce_sum(i))) for frame, i in pairs]
print(sums[-1], pairs.element_spec, len(sums))
