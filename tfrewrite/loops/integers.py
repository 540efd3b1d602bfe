"""Whole numbers as the new code writes them: the ends of ranges, numbers of iterations, positions in lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import gast

from tfrewrite.edits import ATOM, FACTOR, PRODUCT, SUM


@dataclass(frozen=True)
class Literal:
    """A number. `spelled`: as the user wrote it, such as 10_000."""

    value: int
    spelled: str = ""


@dataclass(frozen=True)
class Expression:
    """A name, or an expression of the user's, with what is written before and after it; all of it binds so tight."""

    text: str
    precedence: int = ATOM
    node: gast.AST | None = None
    """Where the text comes from."""
    before: str = ""
    after: str = ""


@dataclass(frozen=True)
class Negative:
    """The negative of another number."""

    operand: Integer


@dataclass(frozen=True)
class Computed:
    """What an operator (+, -, *, //) makes of two numbers."""

    left: Integer
    operator: str
    right: Integer


Integer = Literal | Expression | Negative | Computed

# How tight the result of each operator binds, and how tight its operands have to.
_LEVELS = {"+": (SUM, SUM, SUM), "-": (SUM, SUM, ATOM), "*": (PRODUCT, FACTOR, ATOM), "//": (PRODUCT, FACTOR, ATOM)}


def plus(a: Integer, b: Integer) -> Integer:
    match a, b:
        case Literal(x), Literal(y):
            return Literal(x + y)
        case _, Literal(0):
            return a
        case Literal(0), _:
            return b
        case _, Literal(y) if y < 0:
            return minus(a, Literal(-y))
        case Computed(left, "+", Literal(x)), Literal(y):
            return plus(left, Literal(x + y))
        case Computed(left, "-", Literal(x)), Literal(y):
            return plus(left, Literal(y - x))
        case _, Negative(x):
            return minus(a, x)
    return Computed(a, "+", b)


def minus(a: Integer, b: Integer) -> Integer:
    match a, b:
        case _, Literal(y) if y <= 0 or isinstance(a, Literal):
            return plus(a, Literal(-y))
        case Computed(left, "+" | "-" as operator, Literal(x)), Literal(y):
            return plus(left, Literal((x if operator == "+" else -x) - y))
        case Literal(0), _:
            return Negative(b)
    return Computed(a, "-", b)


def times(a: Integer, b: Integer) -> Integer:
    match a, b:
        case Literal(x), Literal(y):
            return Literal(x * y)
        case _, Literal(1):
            return a
        case Literal(1), _:
            return b
    return Computed(a, "*", b)


def quotient(a: Integer, divisor: int) -> Integer:
    """Rounded down."""
    return Computed(a, "//", Literal(divisor))


def spelled(number: Integer, tight: int = 0) -> str:
    """Its text, in parentheses where it doesn't bind so tight."""
    match number:
        case Literal(value=value):
            text, level = number.spelled or str(value), ATOM if value >= 0 else FACTOR
        case Expression(precedence=level):
            text = f"{number.before}{number.text}{number.after}"
        case Negative(operand=operand):
            text, level = f"-{spelled(operand, FACTOR)}", FACTOR
        case Computed(left=left, operator=operator, right=right):
            level, of_left, of_right = _LEVELS[operator]
            text = f"{spelled(left, of_left)} {operator} {spelled(right, of_right)}"
    return text if level >= tight else f"({text})"


def nodes_of(number: Integer) -> Iterator[gast.AST]:
    """The expressions of the user's that are written in it."""
    match number:
        case Expression(node=gast.AST() as node):
            yield node
        case Negative(operand=operand):
            yield from nodes_of(operand)
        case Computed(left=left, right=right):
            yield from nodes_of(left)
            yield from nodes_of(right)


def respelled(number: Integer, spell: Callable[[gast.AST], str]) -> Integer:
    """The same where what the user wrote reads otherwise."""
    match number:
        case Expression(node=gast.AST() as node):
            return replace(number, text=spell(node))
        case Negative(operand=operand):
            return Negative(respelled(operand, spell))
        case Computed(left=left, operator=operator, right=right):
            return Computed(respelled(left, spell), operator, respelled(right, spell))
    return number
