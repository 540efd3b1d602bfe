from tensorflow import ones, transpose

a = ones([3, 20])
result = a @ transpose(a)  # refused: matmul_transpose: tensorflow is not imported under a name
