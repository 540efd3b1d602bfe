# for: both
# fidelity: tolerance
import tensorflow as t; import math

def f(x, y): # type: (t.Tensor, t.Tensor) -> t.Tensor
  z = x ; y = y+1
  for k in range (2,90) : # odd   spaces
    x = x*0.5 + \
        y;  z = z+x
    w = t.concat([
      x,   # left
      z,
    ], 0)
    x = (w[:2]
      - 1.0)
  return x ; print("never")


result = f(t.ones([2]), t.ones([2]))
