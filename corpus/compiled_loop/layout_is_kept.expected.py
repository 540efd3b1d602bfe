# for: both
# fidelity: tolerance
import tensorflow as t; import math


@t.function(jit_compile=True)
def _f_loop(y, x, z):
  def step(k, x, z): # odd   spaces
    x = x*0.5 + \
        y;  z = z+x
    w = t.concat([
      x,   # left
      z,
    ], 0)
    x = (w[:2]
      - 1.0)
    return k + 1, x, z

  _, x, _ = t.while_loop(
    lambda k, x, z: k < 90,
    step,
    (2, x, z),
    shape_invariants=(t.TensorShape([]), x.shape, z.shape),
    maximum_iterations=88,
  )
  return x


def f(x, y): # type: (t.Tensor, t.Tensor) -> t.Tensor
  z = x ; y = y+1
  x = _f_loop(y, x, z)
  return x ; print("never")


result = f(t.ones([2]), t.ones([2]))
