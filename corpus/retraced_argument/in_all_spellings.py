# fidelity: tolerance
import tensorflow as t
from tensorflow import function

double = function(lambda x, k: x * k * 2.0)


class Model(t.Module):
    def __init__(self):
        super().__init__()
        self.w = t.Variable(t.ones([3]))

    @t.function(autograph=False)
    def step(self, rate, power=2):
        self.w.assign_sub(self.w * rate)
        return self.w**power


@function(jit_compile=True)
def compiled(x, k):
    return t.maximum(x, 0.1 * k)


def run():
    model = Model()
    rows = [double(t.ones([3]), 0.5**k) for k in range(12)]
    i = 0
    while i < 12:
        rows.append(model.step(rate=1 / (i + 2)))
        rows.append(
            compiled(
                t.ones([3]),
                i - 1,  # the one before
            )
        )
        i += 1
    return rows


result = run()
