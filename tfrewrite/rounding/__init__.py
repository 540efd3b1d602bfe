"""What becomes of a value whose last bits change.

Which operations keep their bits alone, in a graph, under XLA and in NumPy, stands in their rows (`ops/`). `operations.py` finds those of
a piece of code that don't, alone or together. `decisions.py` follows their values through the file: does one of them decide something, does its
rounding error grow, does it leave the file? `signs.py` knows values that are not negative, `texts.py` numbers that are printed with few
digits, `training.py` gradients that only train.
"""
