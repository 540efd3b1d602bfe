import numpy as np
import tensorflow as tf

images = np.random.default_rng(0).integers(0, 256, (3000, 28, 28)).astype(np.uint8)
rows = tf.data.Dataset.from_tensor_slices(images)
rows = rows.map(lambda image: tf.cast(image, tf.float32)).shuffle(3000, seed=1)  # refused: shuffle_first: a repeat may follow
rows = rows.repeat(2).batch(900)
firsts = [float(batch[0, 0, 0]) for epoch in range(2) for batch in rows]
print(firsts)
