"""What the texts of two versions say about the inputs that are worth trying: where a number, a word or a name stands in them,
the versions may part there and nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tfrewrite.verify.program import Function, Program

_MOST_NUMBERS, _MOST_WORDS, _MOST_BLOCKS = 3, 6, 2
_MOST_ITERATIONS, _MOST_ROWS = 64, 1024
"""The largest number of a text that an argument is varied to, and that arrays are grown beyond."""
_CONSTRUCTORS = ("__init__", "build", "__new__", "__post_init__")
_DTYPES = re.compile(r"\b(?:b?float(?:16|32|64)|double|half|complex\d+|cast|astype|dtype|saturate_cast)\b")
_REDUCTIONS = re.compile(r"mean|sum|var|std|moments|norm|dot|matmul|einsum|@")
_EXPONENTIALS = re.compile(r"exp|softmax|sigmoid|softplus|cosh|sinh|entropy")
_ARITHMETIC = frozenset(
    {"abs", "bool", "complex", "constant", "convert_to_tensor", "cast", "divmod", "float", "float32", "float64", "floor", "int", "int32"}
    | {"int64", "max", "min", "pow", "print", "round", "sqrt", "square", "str", "add", "multiply", "subtract", "maximum", "minimum"}
)
"""Functions that give a number or a tensor no larger than what they are given, whatever number that is."""


@dataclass(frozen=True)
class Clues:
    """About one function."""

    numbers: tuple[int, ...] = ()
    """Small whole numbers that its texts name, first those that only one of them does."""
    words: tuple[str, ...] = ()
    """What its texts compare with words, or look up by them."""
    fractions: tuple[float, ...] = ()
    """What its texts compare with numbers that aren't whole."""
    blocks: tuple[int, ...] = ()
    """Numbers that only one of the texts has: sizes of blocks, perhaps."""
    assigned: tuple[str, ...] = ()
    """Attributes and globals that the program changes after they were made."""
    unbounded: tuple[str, ...] = ()
    """Parameters that are only ever calculated with: no loop is counted and no array grows by them."""
    dtypes: bool = False
    """One version says more about dtypes than the other."""
    reduces: bool = False
    exponentials: bool = False


def clues(before: Program, after: Program, name: str) -> Clues:
    mine, his = _nodes(before, after, name), _nodes(after, before, name)
    numbers, others = _numbers(before, mine), _numbers(after, his)
    small = sorted((one for one in numbers | others if 3 < one <= _MOST_ITERATIONS), key=lambda one: (one in numbers & others, one))
    blocks = sorted(one for one in numbers ^ others if 3 < one <= _MOST_ROWS)
    texts = [" ".join(ast.unparse(node) for node in nodes) for nodes in (mine, his)]
    return Clues(
        tuple(small[:_MOST_NUMBERS]),
        tuple(dict.fromkeys(_words([*mine, *his])))[:_MOST_WORDS],
        tuple(dict.fromkeys(_fractions([*mine, *his])))[:_MOST_NUMBERS],
        tuple(blocks[-_MOST_BLOCKS:]),
        tuple(sorted({*_assigned(before), *_assigned(after)})),
        tuple(sorted(_unbounded(before.functions[name]) & _unbounded(after.functions[name]))),
        sorted(_DTYPES.findall(texts[0])) != sorted(_DTYPES.findall(texts[1])),
        any(_REDUCTIONS.search(text) for text in texts),
        any(_EXPONENTIALS.search(text) for text in texts),
    )


def _nodes(program: Program, other: Program, name: str) -> list[ast.AST]:
    """The function, and those that only this version has."""
    return [program.functions[name].node, *(one.node for key, one in program.functions.items() if key not in other.functions)]


def _numbers(program: Program, nodes: Sequence[ast.AST]) -> set[int]:
    """In the functions themselves and in the globals that they name."""
    found = {one.value for node in nodes for one in ast.walk(node) if isinstance(one, ast.Constant) and type(one.value) is int}
    named = {one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)}
    for statement in program.tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Constant(value=int() as value)) if bound in named:
                found.add(value)
    return {one for one in found if type(one) is int}


def _compared(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        for part in ast.walk(node):
            match part:
                case ast.Compare() | ast.match_case():
                    yield from ast.walk(part)
                case ast.Dict(keys=keys):
                    yield from (key for key in keys if key is not None)
                case ast.Call(func=ast.Attribute(attr="startswith" | "endswith"), args=args):
                    yield from args


def _words(nodes: Sequence[ast.AST]) -> Iterator[str]:
    yield from (one.value for one in _compared(nodes) if isinstance(one, ast.Constant) and isinstance(one.value, str))


def _fractions(nodes: Sequence[ast.AST]) -> Iterator[float]:
    yield from (one.value for one in _compared(nodes) if isinstance(one, ast.Constant) and type(one.value) is float)


def _assigned(program: Program) -> Iterator[str]:
    """Names under `global`, and attributes that something else than a constructor assigns."""
    for function in program.functions.values():
        constructs = function.name.rpartition(".")[2] in _CONSTRUCTORS
        for node in ast.walk(function.node):
            match node:
                case ast.Global(names=names):
                    yield from names
                case ast.Attribute(attr=attribute, ctx=ast.Store()) if not constructs:
                    yield attribute


def _unbounded(function: Function) -> set[str]:
    arguments = function.parameters
    parameters = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    return {name for name in parameters if _is_only_calculated(function.node, name)}


def _is_only_calculated(function: ast.AST, name: str) -> bool:
    """Does nothing that comes from this name reach anything but arithmetic? Then any number costs the same."""
    tainted = {name}
    while True:
        parents = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
        before = len(tainted)
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in tainted and isinstance(node.ctx, ast.Load):
                reached = _reached(node, parents)
                if reached is None:
                    return False
                tainted |= reached
        if len(tainted) == before:
            return True


def _reached(node: ast.expr, parents: dict[ast.AST, ast.AST]) -> set[str] | None:
    """The names that take the value that this expression is part of; None where it goes where its size matters."""
    child: ast.AST = node
    while (parent := parents.get(child)) is not None:
        match parent:
            case ast.BinOp(op=ast.Pow() | ast.LShift(), right=right) if right is child:
                return None
            case ast.BinOp(left=left, right=right):
                if any(isinstance(side, ast.List | ast.Tuple | ast.JoinedStr) or _is_text(side) for side in (left, right)):
                    return None
            case ast.keyword(arg="shape"):
                return None
            case ast.UnaryOp() | ast.IfExp() | ast.FormattedValue() | ast.JoinedStr() | ast.keyword():
                pass
            case ast.Compare() | ast.BoolOp():
                child = parent
                continue
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) if called in _ARITHMETIC and parent.func is not child:
                pass
            case ast.Assign(targets=[ast.Name(id=target)]) | ast.AugAssign(target=ast.Name(id=target)):
                return {target}
            case ast.Return() | ast.Expr() | ast.If() | ast.Assert():
                return set()
            case _:
                return None
        child = parent
    return set()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
