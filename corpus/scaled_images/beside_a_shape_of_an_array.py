import numpy as np


class Image(np.ndarray):
    def flatten_here(self):
        self.shape = (self.size,)


images = np.ones([1000, 32, 32], "uint8")
images.view(Image).flatten_here()
images = images.astype("float32") / 255
result = images.sum()
