from tensorflow import TensorSpec, eye, function, matmul


@function(input_signature=[TensorSpec([5, 5])])
def power(a):
    r = eye(5)
    for _ in range(90):  # refused: while_loop: TensorFlow has no name of its own here
        r = matmul(r, a)
    return r


result = power(eye(5))
