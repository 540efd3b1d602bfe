"""Between which numbers the elements of a result lie, given between which those of the operands do.

None where an operand may be one that there is no result for.
"""

from __future__ import annotations

import math

Range = tuple[float, float]


def product(x: Range, y: Range) -> Range:
    found = [a * b for a in x for b in y]
    return min(found), max(found)


def absolute(x: Range) -> Range:
    low, high = sorted((abs(x[0]), abs(x[1])))
    return (0.0 if x[0] <= 0 <= x[1] else low), high


def power(x: Range, exponent: int) -> Range:
    low, high = absolute(x) if exponent == 2 else x
    return (low * low, high * high) if exponent == 2 else (low * low * low, high * high * high)


def exponential(x: Range) -> Range:
    return math.exp(min(x[0], 700.0)), math.exp(min(x[1], 700.0))


def root(x: Range) -> Range | None:
    return (math.sqrt(x[0]), math.sqrt(x[1])) if x[0] >= 0 else None


def logarithm(x: Range) -> Range | None:
    return (math.log(x[0]), math.log(x[1])) if x[0] > 0 else None


def quotient(x: Range, y: Range) -> Range | None:
    return None if y[0] <= 0 <= y[1] else product(x, (1 / y[1], 1 / y[0]))


def square(x: Range) -> Range:
    return power(x, 2)


def negative(x: Range) -> Range:
    return -x[1], -x[0]


def total(x: Range, y: Range) -> Range:
    return x[0] + y[0], x[1] + y[1]


def difference(x: Range, y: Range) -> Range:
    return x[0] - y[1], x[1] - y[0]


def larger(x: Range, y: Range) -> Range:
    return max(x[0], y[0]), max(x[1], y[1])


def smaller(x: Range, y: Range) -> Range:
    return min(x[0], y[0]), min(x[1], y[1])


def unchanged(x: Range) -> Range:
    return x


def unit(_: Range) -> Range:
    return -1.0, 1.0
