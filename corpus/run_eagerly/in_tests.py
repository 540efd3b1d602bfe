# unsafe
import tensorflow as tf


class TwiceTest(tf.test.TestCase):
    def setUp(self):
        super().setUp()
        tf.config.run_functions_eagerly(True)
        self.one = tf.constant(1)

    def check(self):
        tf.config.run_functions_eagerly(True)
        self.assertAllEqual(self.one, 1)


print(TwiceTest.__name__)
