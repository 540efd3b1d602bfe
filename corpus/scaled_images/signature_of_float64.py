import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
images = np.random.randint(256, size=(600, 16, 16, 3), dtype="uint8")
images = images / 255.0  # refused: scaled_images: images becomes float64, and forward(batch) would see float32 in place of float64
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])


@tf.function(input_signature=[tf.TensorSpec([None, 16, 16, 3], tf.float64)])
def forward(batch):
    return model(batch)


for batch in tf.data.Dataset.from_tensor_slices(images).batch(60):
    result = forward(batch)
