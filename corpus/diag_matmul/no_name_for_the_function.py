from tensorflow import linalg, matmul, ones

scale = ones([20])
result = matmul(linalg.diag(scale), ones([20, 5]))  # refused: diag_matmul: tensorflow is not imported under a name
