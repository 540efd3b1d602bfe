import numpy as np
import tensorflow as tf

np.random.seed(3)
images = np.random.rand(20000, 16, 16, 3)

pairs = (
    tf.data.Dataset.from_tensor_slices({"image": images, "id": np.arange(20000)})
    .shuffle(2000, seed=3)
    .repeat(2)
    # whole batches only
    .batch(256, drop_remainder=True)
    .map(lambda one: (one["image"] * 2.0, one["id"]))
    .prefetch(2)
)

sums = [(float(tf.reduce_sum(image)), int(tf.reduce_sum(ids))) for image, ids in pairs]
