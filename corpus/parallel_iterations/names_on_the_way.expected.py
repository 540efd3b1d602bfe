import tensorflow


@tensorflow.function
def blended(frames, weights):
    state = tensorflow.zeros_like(frames[0])
    largest = tensorflow.zeros([])
    for i in tensorflow.range(8):
        tensorflow.autograph.experimental.set_loop_options(parallel_iterations=1)
        frame = tensorflow.exp(-frames[i])
        gate = tensorflow.where(frame > 0.5, frame * weights[i], 1.0 - frame)
        state = gate * state + (1.0 - gate) * frame
        if weights[i] > largest:
            largest = weights[i]

    rest = tensorflow.zeros_like(state)
    for i in tensorflow.range(tensorflow.shape(weights)[0]): rest += frames[i] * weights[i]  # refused: parallel_iterations: on the line of its head
    return state, largest, rest


frames = tensorflow.reshape(tensorflow.range(8.0 * 20000), [8, 20000]) / 160000.0
result = blended(frames, tensorflow.linspace(0.0, 1.0, 8))
