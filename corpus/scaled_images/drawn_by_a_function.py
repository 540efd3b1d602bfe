# peak at most: 0.8
import sys

import numpy as np
import tensorflow as tf


def show(at, labels, images):
    import matplotlib.pyplot as plt

    label, image = labels[at], images[at]
    plt.subplot(1, 1, 1)
    plt.imshow(image, cmap="gray")
    plt.xlabel(str(label))


def train():
    images = np.random.randint(256, size=(4000, 32, 32), dtype="uint8")
    labels = np.arange(4000) % 10
    images = images / 255.0
    if "--show" in sys.argv:
        import matplotlib.pyplot as plt

        show(0, labels, images)
        figure, axes = plt.subplots(1, 2)
        axes[0].imshow(images[1])
        plt.show()
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    model.compile(optimizer="sgd", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return model.fit(images, labels, verbose=0, shuffle=False).history


print(train())
