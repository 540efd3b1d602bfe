import sys

import numpy as np
import tensorflow as tf

images = np.random.RandomState(3).randint(256, size=(600, 16, 16, 3)).astype("uint8")
images = images / 255.0  # refused: scaled_images: images becomes
count = len(images)
if "--show" in sys.argv:
    import matplotlib.pyplot as plt

    plt.imshow(images[0])
    print(plt.gca().get_images()[0].get_array().dtype)
print(count)
