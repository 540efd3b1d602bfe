"""Names that are not live hold nothing that anybody misses: poisoned, they change nothing."""

from __future__ import annotations

import random
import textwrap

import gast
import pytest

from tfrewrite.facts import Facts
from tfrewrite.facts.liveness import Liveness
from tfrewrite.facts.scopes import blocks
from tfrewrite.source import Source

NAMES = "abcd"


class Writer:
    """Writes functions of a few names, with all that can happen between giving and reading one."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0

    def name(self) -> str:
        return self.random.choice(NAMES)

    def block(self, depth: int, inside: bool = False) -> list[str]:
        lines = [line for _ in range(self.random.randrange(1, 4)) for line in self.statement(depth, inside)]
        return [f"    {line}" for line in lines]

    def statement(self, depth: int, inside: bool) -> list[str]:
        plain = [
            f"{self.name()} = {self.name()} + {self.random.randrange(9)}",
            f"{self.name()} += {self.name()}",
            f"out.append({self.name()})",
        ]
        jumps = ["break", "continue"] if inside else []
        options = [*plain, *plain, *jumps, f"return {self.name()}", f"if {self.name()} > 40: raise ValueError({self.name()})"]
        if depth and self.random.random() < 0.5:
            self.loops += 1
            i = f"i{self.loops}"
            return self.random.choice(
                [
                    [f"if {self.name()} % 2:", *self.block(depth - 1, inside), "else:", *self.block(depth - 1, inside)],
                    [f"for {i} in range({self.random.randrange(4)}):", *self.block(depth - 1, True)],
                    [f"for {self.name()} in range(3):", *self.block(depth - 1, True), "else:", *self.block(depth - 1, inside)],
                    [f"{i} = 0", f"while {i} < 3:", f"    {i} += 1", *self.block(depth - 1, True)],
                    ["try:", *self.block(depth - 1, inside), "except ValueError:", *self.block(depth - 1, inside)],
                    ["try:", *self.block(depth - 1, inside), "finally:", "    out.append(0)", f"    {self.name()} = {self.name()}"],
                    [f"with quiet(out, {self.name()}):", *self.block(depth - 1, inside)],
                ]
            )
        return [self.random.choice(options)]

    def function(self) -> str:
        body = [line for _ in range(4) for line in self.statement(3, False)]
        return textwrap.dedent("def f(out, a, b, c, d):\n") + "\n".join(f"    {line}" for line in body) + "\n"


SETTING = """
import contextlib

class Poison:
    pass

@contextlib.contextmanager
def quiet(out, value):
    try:
        yield
    except ValueError:
        out.append(value)

"""


def poisoned(text: str) -> str:
    """The function with every name that isn't live set to something that can't be added, after each statement."""
    facts = Facts(Source(text))
    function = facts.tree.body[0]
    live = Liveness(function, facts.scopes)
    lines = text.splitlines()
    added: dict[int, list[str]] = {}

    def visit(statements: list[gast.stmt]) -> None:
        for statement in statements:
            for block in blocks(statement):
                visit(block)
            if not isinstance(statement, gast.Return | gast.Raise | gast.Break | gast.Continue):
                dead = [name for name in NAMES if name not in live.after(statement)]
                added.setdefault(statement.end_lineno, []).extend(f"{' ' * statement.col_offset}{name} = Poison()" for name in dead)

    visit(function.body)
    return "\n".join(line for number, kept in enumerate(lines, 1) for line in [kept, *added.get(number, [])]) + "\n"


def outcome(text: str) -> object:
    namespace: dict[str, object] = {}
    exec(SETTING + text, namespace)
    out: list[object] = []
    try:
        returned = namespace["f"](out, 1, 2, 3, 4)  # type: ignore[operator]
    except Exception as error:
        return out, type(error).__name__
    return out, returned


def check(seed: int) -> int:
    text = Writer(seed).function()
    changed = poisoned(text)
    assert outcome(changed) == outcome(text), f"{text}\n{changed}"
    return changed.count("Poison()")


def test_nobody_misses_what_is_not_live() -> None:
    assert sum(check(seed) for seed in range(300)) > 600


@pytest.mark.fuzz
def test_nobody_misses_what_is_not_live_in_many_programs() -> None:
    assert sum(check(seed) for seed in range(1000, 21000)) > 40000


@pytest.mark.parametrize(
    ("text", "carried"),
    [
        ("for i in range(3):\n    s = s + i", {"s"}),
        ("for i in range(3):\n    t = i\n    s += t", {"s"}),
        ("for i in range(3):\n    last = i\nprint(last)", set()),
        ("while s < 3:\n    s = s + 1\n    t = s", {"s"}),
        ("for i in range(3):\n    if i:\n        s = i\n    print(s)", {"s"}),
        ("for i in range(3):\n    i = i + 1\n    print(i)", set()),
        ("for i in range(3):\n    a, b = b, a", {"a", "b"}),
        ("for i in range(3):\n    if s: break\n    s = i\nelse:\n    print(s)", {"s"}),
    ],
)
@pytest.mark.smoke
def test_what_a_loop_carries(text: str, carried: set[str]) -> None:
    facts = Facts(Source("def f(a, b, s):\n" + textwrap.indent(text, "    ")))
    function = facts.tree.body[0]
    (loop,) = facts.nodes((gast.For, gast.While))
    assert Liveness(function, facts.scopes).carried(loop) == carried


def test_what_an_inner_function_knows_is_always_live() -> None:
    facts = Facts(Source("def f(x):\n    y = x\n    g = lambda: y\n    return g\n"))
    function = facts.tree.body[0]
    assert "y" in Liveness(function, facts.scopes).after(function.body[-1])


def test_who_imports_a_module_reads_its_names_and_nobody_those_of_a_script() -> None:
    facts = Facts(Source("a = 1\nb = a\nc = 2\n\n\ndef f():\n    return c\n"))
    first, second, third, _ = facts.tree.body
    assert facts.liveness(facts.tree).after(second) == {"a", "b", "c"}
    assert facts.liveness_of_script.after(first) == {"a", "c"}, "c is read whenever f is called"
    assert facts.liveness_of_script.after(second) == facts.liveness_of_script.after(third) == {"c"}
