from typing import TYPE_CHECKING
from tensorflow import transpose, ones
if TYPE_CHECKING:
    import tensorflow as tf
a = ones([20, 30])
r = a @ transpose(a)
