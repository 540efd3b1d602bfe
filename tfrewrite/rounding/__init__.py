"""What becomes of a value whose last bits change.

`bits.py` says which operations keep their bits in a graph, under XLA and in NumPy, alone and together. `operations.py` finds those
of a piece of code that don't. `decisions.py` follows their values through the file: does one of them decide something, does its
rounding error grow, does it leave the file?
"""
