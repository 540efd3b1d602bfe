from tensorflow import transpose, ones
import tensorflow as tf
a = ones([20, 30])
r = [a @ transpose(a) for tf in range(2)]
