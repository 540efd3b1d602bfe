"""The sizes of tensors that aren't known: which of them are the same, and what else a program asks of them.

A size is a number that stands for the unknown, as handed out by `Sizes.new`. What can't be met counts as a conflict.
"""

from __future__ import annotations

import ast
import math
from collections import Counter


class Sizes:
    """The unknowns: which are the same, which are known, and what else is asked of them."""

    def __init__(self) -> None:
        self._parent: list[int] = []
        self.known: dict[int, int] = {}
        self.multiple: dict[int, int] = {}
        self.least: dict[int, int] = {}
        self.preferred: dict[int, int] = {}
        self.products: list[tuple[int, tuple[int, ...]]] = []
        self.sums: list[tuple[int, tuple[int, ...]]] = []
        """Each a whole and its factors, or its parts."""
        self.reshapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self.conflicts = 0

    def new(self, known: int | None = None) -> int:
        self._parent.append(len(self._parent))
        if known is not None:
            self.known[self._parent[-1]] = known
        return self._parent[-1]

    def find(self, size: int) -> int:
        while self._parent[size] != size:
            size = self._parent[size]
        return size

    def value(self, size: int) -> int | None:
        return self.known.get(self.find(size))

    def relations(self) -> list[tuple[int, tuple[int, ...]]]:
        """The products, among them those that reshaping asks for: what is left once equal sizes are left out on both sides."""
        found = list(self.products)
        for before, after in self.reshapes:
            one, other = Counter(map(self.find, before)), Counter(map(self.find, after))
            left, right = tuple((one - other).elements()), tuple((other - one).elements())
            if len(left) == 1 and right:
                found.append((left[0], right))
            elif len(right) == 1 and left:
                found.append((right[0], left))
        return found

    def same(self, one: int, other: int) -> None:
        one, other = self.find(one), self.find(other)
        if one == other:
            return
        values = {self.known[size] for size in (one, other) if size in self.known}
        if len(values) > 1:
            self.conflicts += 1
            return
        self._parent[other] = one
        for value in values:
            self.known[one] = value
        self.least[one] = max(self.least.get(one, 0), self.least.get(other, 0))
        self.multiple[one] = math.lcm(self.multiple.get(one, 1), self.multiple.get(other, 1))
        if other in self.preferred:
            self.preferred.setdefault(one, self.preferred[other])

    def at_least(self, size: int, least: int) -> None:
        root = self.find(size)
        self.least[root] = max(self.least.get(root, 0), least)

    def computed(self, operator: ast.operator, dim: int, by: int) -> int | None:
        """What arithmetic on two sizes gives; None for a number that isn't whole."""
        one, other = self.value(dim), self.value(by)
        if one is not None and other is not None:
            match operator:
                case ast.Add():
                    return self.new(one + other)
                case ast.Sub():
                    return self.new(one - other)
                case ast.Mult():
                    return self.new(one * other)
                case ast.FloorDiv() if other:
                    return self.new(one // other)
        factor = other if other is not None else self.preferred.get(self.find(by))
        if isinstance(operator, (ast.FloorDiv, ast.Mod)) and factor and one is None:
            root = self.find(dim)
            self.multiple[root] = math.lcm(self.multiple.get(root, 1), abs(factor))
        result = self.new()
        match operator:
            case ast.Div():
                return None
            case ast.FloorDiv():
                self.products.append((dim, (by, result)))
            case ast.Mult():
                self.products.append((result, (dim, by)))
            case ast.Add():
                self.sums.append((result, (dim, by)))
            case ast.Sub():
                self.sums.append((dim, (by, result)))
        return result
