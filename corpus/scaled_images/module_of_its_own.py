# Its own names are given from outside, by the module that the script is.
import sys

import numpy as np
import tensorflow as tf

x_train = np.random.default_rng(0).integers(0, 256, (3000, 28, 28)).astype("uint8")
own = sys.modules if "numpy" in sys.modules else {}
for name, module in own.items():
    if name.endswith("in__"):
        setattr(module, "x_" + "train", np.ones(3))
x_train = x_train.astype("float32") / 255.0  # refused: scaled_images: x_train is not known to be a NumPy array
print(tf.reduce_sum(x_train))
