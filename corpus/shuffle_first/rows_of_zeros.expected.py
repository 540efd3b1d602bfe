# peak at most: 0.4
import tensorflow as tf

tf.random.set_seed(5)
numbers = (
    tf.data.Dataset.range(4000)
    .shuffle(buffer_size=3000, seed=4, reshuffle_each_iteration=False)
    .map(lambda i: tf.zeros([1000]) + tf.cast(i, tf.float32), num_parallel_calls=2)
    .batch(10)
)
total = sum(step * float(batch[0, 0]) for step, batch in enumerate(numbers))
