from tensorflow import transpose, ones
import tensorflow as tf
a = ones([20, 30])


class A:
    tf = 3
    r = a @ transpose(a)


r = A.r
