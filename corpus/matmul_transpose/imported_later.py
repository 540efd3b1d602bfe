from tensorflow import transpose, ones
a = ones([20, 30])
r = a @ transpose(a)
import tensorflow as tf
