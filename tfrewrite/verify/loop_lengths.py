"""The same two versions with fewer iterations of a loop: where rounding has not been amplified yet, equality can be shown.

What differs only after some iterations is seen only after these: so there are to be as many as are tame.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile

from tfrewrite.verify.judge import Pair
from tfrewrite.verify.plan import Count, Trial
from tfrewrite.verify.portrait import Composite, Plain
from tfrewrite.verify.program import Function, Program
from tfrewrite.verify.verdict import Occasion

_LEAST = 5
MORE_ITERATIONS = (7, 14)
"""What is tried where three iterations were equal."""
_MOST_GROWN = 8
_LOOPING = {"while_loop", "scan", "foldl", "foldr", "map_fn", "map", "reduce", "RNN", "LSTM", "GRU", "SimpleRNN", "fit"}


def has_loop(program: Program, name: str) -> bool:
    """Does a function iterate, or a function of the program that it mentions?"""
    words = {known.rpartition(".")[2]: known for known in program.functions}
    seen: set[str] = set()
    todo = [name] if name in program.functions else []
    while todo:
        seen.add(current := todo.pop())
        if any(_is_loop(node) for node in ast.walk(program.functions[current].node)):
            return True
        called = {words[word] for word in program.uses(current) & words.keys()}
        if current in called:
            return True
        todo += called - seen
    return False


def _is_loop(node: ast.AST) -> bool:
    match node:
        case ast.For() | ast.AsyncFor() | ast.While() | ast.comprehension():
            return True
        case ast.Name(id=word) | ast.Attribute(attr=word):
            return word in _LOOPING
    return False


def with_more_iterations(trial: Trial, tame: Sequence[Pair]) -> tuple[Trial, ...]:
    """The same call with more and more of what it was equal with little of."""
    found: dict[str, int] = {}
    for name, number in _numbers(tame):
        if name in trial.names:
            found[name] = max(found.get(name, 0), number)
    parts = trial.arguments.members if isinstance(trial.arguments, Composite) else ()
    for name, count in found.items():
        place = trial.names.index(name)
        given = parts[place][1]
        if isinstance(given, Plain) and type(given.value) is int and (most := given.value) > count:
            counts = takewhile(most.__gt__, islice(_growing(count), _MOST_GROWN))
            return tuple(_with(trial, place, replace(given, value=one), Count(name, one)) for one in counts)
    return ()


def _numbers(pairs: Sequence[Pair]) -> Iterator[tuple[str, int]]:
    """Arguments that are numbers, which may be those of iterations."""
    return ((one.count.name, one.count.number) for one in pairs if one.count is not None and not one.count.rows)


def in_words(pairs: Sequence[Pair]) -> str:
    """Of n=0, n=1, n=2, n=3 and n=8 the ends; what has no number of iterations is said only where nothing has."""
    numbers: dict[str, list[int]] = {}
    for name, number in _numbers(pairs):
        numbers.setdefault(name, []).append(number)
    if not numbers:
        return f"with {', '.join(one.label for one in pairs)}"
    return "with " + ", ".join(_ends(name, sorted(set(found))) for name, found in numbers.items())


def _ends(name: str, found: Sequence[int]) -> str:
    if len(found) < 4:
        return ", ".join(f"{name}={number}" for number in found)
    return f"{name}={found[0]} to {name}={found[-1]} ({len(found)} of these)"


def _growing(count: int) -> Iterator[int]:
    while True:
        count = max(count + 1, count * 4 // 3)
        yield count


def _with(trial: Trial, place: int, number: Plain, count: Count) -> Trial:
    assert isinstance(trial.arguments, Composite)
    parts = list(trial.arguments.members)
    parts[place] = parts[place][0], number
    arguments = replace(trial.arguments, members=tuple(parts))
    made = replace(trial, label=f"{count.name}={count.number}", origin="varied", count=count, occasion=Occasion.INPUTS)
    return replace(made, arguments=arguments, gradients=False, then=None)


def with_fewer_iterations(before: Program, after: Program, name: str, count: int) -> tuple[Program, Program, int] | None:
    """Both versions with loops of the function that make a fixed number of iterations cut to `count`, and what that number was.

    The number stands in a `range(...)` of the original, as itself or as the name of a global; in the other version it may
    stand anywhere in the function and in functions that only this version has. None where there is no such number.
    """
    function = before.functions[name]
    counts = list(_written_counts(before, function))
    if not counts:
        return None
    most = max(counts)
    added = [one for key, one in after.functions.items() if key == name or key not in before.functions]
    texts = (_replaced(before, [function], most, count), _replaced(after, added, most, count))
    if texts[1] == after.text:
        return None
    return Program(texts[0], before.path), Program(texts[1], after.path), most


def _written_counts(program: Program, function: Function) -> Iterator[int]:
    for node in ast.walk(function.node):
        match node:
            case ast.Call(func=ast.Name(id="range") | ast.Attribute(attr="range"), args=[*_, ast.Constant(value=int() as count)]):
                yield from [count] if count >= _LEAST else []
            case ast.Call(func=ast.Name(id="range") | ast.Attribute(attr="range"), args=[*_, ast.Name(id=name)]):
                yield from (one.value for one in _constants(program, name) if isinstance(one.value, int) and one.value >= _LEAST)


def _constants(program: Program, name: str) -> Iterator[ast.Constant]:
    for statement in program.tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Constant() as constant) if bound == name:
                yield constant


def _replaced(program: Program, functions: Sequence[Function], count: int, fewer: int) -> str:
    """The text with this number replaced, in these functions and in the globals that they use."""
    found = [node for function in functions for node in ast.walk(function.node) if isinstance(node, ast.Constant)]
    used = {node.id for function in functions for node in ast.walk(function.node) if isinstance(node, ast.Name)}
    found += [constant for name in sorted(used) for constant in _constants(program, name)]
    lines = program.text.encode().splitlines(keepends=True)
    for node in sorted(found, key=lambda one: (one.lineno, one.col_offset), reverse=True):
        if type(node.value) is int and node.value == count:
            line = lines[node.lineno - 1]
            lines[node.lineno - 1] = line[: node.col_offset] + str(fewer).encode() + line[node.end_col_offset :]
    return b"".join(lines).decode()
