"""Random programs with loops, such as people write them, and the calls that run them."""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

PRELUDE = "import numpy as np\nimport tensorflow as tf\n\n"


@dataclass(frozen=True)
class Program:
    """A file whose top level defines f, and the calls of it that belong to it."""

    text: str
    calls: tuple[str, ...]
    nudged: tuple[tuple[str, ...], ...]
    """The same calls with arguments that are off by a few units in the last place: what they change says nothing."""
    graph: bool

    @property
    def compilable(self) -> bool:
        """Does TensorFlow get through its own optimiser with a graph of it?"""
        return _doublings(ast.parse(self.text).body, {}) <= _MOST_DOUBLINGS

    @property
    def script(self) -> str:
        return self.text + "\n\n" + "".join(f"r{number} = {call}\n" for number, call in enumerate(self.calls))


@dataclass
class Writer:
    """Knows what is in scope at each line: vectors of three elements, scalars, and Python numbers."""

    random: random.Random
    dtype: str = "float32"
    graph: bool = False
    vectors: list[str] = field(default_factory=lambda: ["w"])
    scalars: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    matrices: list[str] = field(default_factory=lambda: ["m"])
    state: list[str] = field(default_factory=list)
    """What is carried, and has to stay what it is."""
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    made: set[str] = field(default_factory=set)

    def choose(self, *options: str) -> str:
        return self.random.choice(options)

    def rarely(self, one_in: int = 8) -> bool:
        return not self.random.randrange(one_in)

    @property
    def whole(self) -> bool:
        return self.dtype.startswith("int")

    def constant(self) -> str:
        return self.choose("2", "1", "3") if self.whole else self.choose("0.5", "0.9", "2", "1.5", "1e-2")

    # Expressions

    def vector(self, depth: int = 1, of: str = "") -> str:
        """An expression, mostly of the vector that is asked for."""
        if not depth or self.rarely(6):
            return of if of and not self.rarely(5) else self.choose(*self.vectors)
        a, b = self.vector(depth - 1, of), self.vector(depth - 1)
        s = self.scalar(0)
        if self.whole:
            return self.choose(
                f"{a} + {b}", f"{a} - {b}", f"tf.maximum({a}, {b})", f"{a} * {self.number()} % 11", f"tf.abs({a})", f"{a} + {s}"
            )
        return self.choose(
            f"tf.tanh({a})", f"tf.sin({a})", f"{a} * {self.constant()}", f"{a} + {b}", f"{a} - {b}", f"tf.maximum({a}, {b})",
            f"{a} + {self.number()}", f"{a} * {s}", f"tf.matmul(tf.expand_dims({a}, 0), m)[0]", f"tf.linalg.matvec(m, {a})", f"tf.nn.relu({a})", f"tf.where({a} > 0, {a}, {b})",
            f"{a} / {self.divisor()}", f"{self.number()} - {a}", f"-{a}", f"tf.reverse({a}, [0])",
        )  # fmt: skip

    def scalar(self, depth: int = 1) -> str:
        if self.scalars and self.rarely(3):
            return self.choose(*self.scalars)
        v = self.vector(depth)
        return self.choose(f"tf.reduce_sum({v})", f"tf.reduce_max({v})", f"{self.choose(*self.vectors)}[0]", f"tf.reduce_min(tf.abs({v}))")

    def number(self) -> str:
        """Something of Python's that goes with tensors of the program's type."""
        if not self.numbers:
            return self.constant()
        i = self.choose(*self.numbers)
        if self.whole:
            return self.choose(i, f"({i} + 1)", f"{i} % 3", f"{i} // 2", "2")
        return self.choose(
            i, f"({i} + 1)", f"{i} * 0.5", f"1 / ({i} + 1)", f"0.9 ** {i}", f"{i} % 3", f"{i} // 2", f"(-{i})", f"tf.cast({i}, {self.like()})",
            f"float({i})", self.constant(),
        )  # fmt: skip

    def divisor(self) -> str:
        return self.choose(f"({self.choose(*self.numbers)} + 1)", self.constant()) if self.numbers else self.constant()

    def like(self) -> str:
        return self.choose(f"tf.{self.dtype}", "w.dtype")

    def condition(self) -> str:
        bound = self.choose("0.37", "1.7", "-0.4") if not self.whole else self.choose("3", "0", "10")
        on_tensor = f"{self.scalar()} {self.choose('>', '<')} {bound}"
        if not self.numbers:
            return on_tensor
        i = self.choose(*self.numbers)
        return self.choose(on_tensor, on_tensor, f"{i} % 2 == 0", f"{i} > 2", f"{i} < n - 1", f"{i} == 1", f"{on_tensor} and {i} > 1")

    # What a loop carries

    def carry(self, what: str) -> None:
        zeros = self.choose("tf.zeros_like(w)", "w", f"tf.zeros([3], tf.{self.dtype})", "w * 2")
        match what:
            case "vector":
                self.start("h", zeros, self.vectors)
            case "second":
                self.start("g", zeros, self.vectors)
            case "scalar":
                plain = ("0",) if self.whole else ("0.0", "0")
                self.start("s", self.choose(f"tf.zeros([], tf.{self.dtype})", f"tf.constant(0, {self.like()})", *plain), self.scalars)
            case "matrix":
                self.start("r", self.choose("m", f"tf.eye(3, dtype=tf.{self.dtype})"), self.matrices)
            case "counter":
                self.start("k", self.choose("0", "1"), self.numbers)
            case "list" | "rows":
                self.before.append("out = []" if self.rarely(4) is False else "out = [w]")
            case "growing":
                self.before.append(f"acc = {self.choose('x[:1]', f'tf.zeros([0, 3], tf.{self.dtype})')}")
                self.results.append("acc")
        self.made.add(what)

    def start(self, name: str, value: str, kind: list[str]) -> None:
        self.before.append(f"{name} = {value}")
        kind.append(name)
        self.state.append(name)
        self.results.append(name)

    def update(self, name: str) -> list[str]:
        match name:
            case "h" | "g":
                soft = (
                    self.vector(2, name)
                    if self.whole
                    else self.choose(f"tf.tanh({self.vector(2, name)})", f"{name} * 0.5 + {self.vector(1)}")
                )
                other = [one for one in ("h", "g") if one in self.state and one != name]
                forms = [f"{name} = {soft}", f"{name} += {self.vector(1)}", f"{name} = {self.vector(2, name)}"]
                if other:
                    forms.append(f"{name}, {other[0]} = {other[0]}, {self.vector(1)}")
                return [self.choose(*forms)]
            case "s":
                return [
                    self.choose(
                        f"s += {self.scalar()}",
                        f"s = s + {self.scalar()}",
                        f"s = tf.maximum(s, {self.scalar()})",
                        f"s = s * {self.constant()} + {self.scalar()}",
                    )
                ]
            case "r":
                return [
                    "r = "
                    + self.choose(
                        "tf.matmul(r, m)", "r @ m * 0.5", f"r * 0.5 + {self.choose(*self.vectors)}" if not self.whole else "r + m"
                    )
                ]
            case "k":
                return ["k *= 1" if self.rarely(12) else self.choose("k += 1", "k = k + 2", "k += 3", "k -= 2")]
        raise ValueError(name)

    # Statements

    def body(self, depth: int, inside: str) -> list[str]:
        """The lines of a loop's body: each carried thing is updated, in whatever order, with something around it."""
        lines: list[str] = []
        scope = [list(one) for one in (self.vectors, self.scalars, self.numbers)]
        if self.rarely(3):
            name = self.choose("t", "t", "previous")
            lines.append(f"{name} = {self.vector(2)}")
            self.vectors.append(name)
        for name in self.state:
            updated = self.update(name)
            if name != "k" and self.rarely(4):
                updated = self.under_condition(updated, name)
            if depth and self.rarely(10):
                updated = self.loop(depth - 1, f"j{depth}", updated)
            lines += updated
        if "list" in self.made and not depth == 0:
            lines.append(f"out.append({self.vector(1)})")
        if "rows" in self.made and not depth == 0:
            lines.append(f"out.append({self.scalar(1)})")
        if "growing" in self.made and depth:
            lines.append(
                self.choose(f"acc = tf.concat([acc, tf.expand_dims({self.vector(1)}, 0)], 0)", "acc = tf.concat([acc, x[:2] + 1], axis=0)")
            )
        if self.rarely(7):
            jump = self.choose("break", "break", "continue")
            at = self.random.randrange(len(lines) + 1)
            if not (inside == "while" and jump == "continue"):
                known = [one[:] for one in (self.vectors, self.scalars, self.numbers)]
                self.vectors[:], self.scalars[:], self.numbers[:] = scope
                lines[at:at] = (
                    [] if any(line.startswith(" ") for line in lines[at : at + 1]) else [f"if {self.condition()}:", f"    {jump}"]
                )
                self.vectors[:], self.scalars[:], self.numbers[:] = known
        if self.rarely(25):
            lines.append(self.choose("print(n)", f"assert n < 1000, {self.scalar()}", f"w = {self.vector(1)}"))
        if not lines:
            lines = [f"h = {self.vector(2)}"]
            if "h" not in self.vectors:
                self.vectors.append("h")
        return lines

    def under_condition(self, lines: list[str], name: str) -> list[str]:
        found = [f"if {self.condition()}:", *indented(lines)]
        if self.rarely(2):
            found += ["else:", *indented(self.update(name))]
        return found

    def loop(self, depth: int, index: str, lines: list[str]) -> list[str]:
        # XLA takes minutes for some hundred conditions that a graph unrolls.
        return [f"for {index} in range({self.choose('3', '2', 'len(m)' if self.graph else 'len(x)')}):", *indented(lines)]


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def program(source: random.Random) -> Program:
    """One that TensorFlow can run as it is written."""
    made = _program(source)
    while made.graph and not made.compilable:
        made = _program(source)
    return made


_MOST_DOUBLINGS = 10
"""TensorFlow's optimiser writes sums out: of 22 times `g += g` in a graph it makes one of 4 million parts, in 2 GB and 32 seconds."""


@dataclass(frozen=True, eq=False)
class _Value:
    """Something computed: how often, at most, a sum of something and itself goes into another one on the way to it."""

    doublings: int = 0


def _doublings(statements: Sequence[ast.stmt], known: dict[str, _Value]) -> int:
    """The most of all, where 20 turns stand for any number."""
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                given = [_value(one, known) for one in values]
                known |= {ast.unparse(name): one for name, one in zip(names, given, strict=True)}
            case ast.Assign(targets=[name], value=value):
                known[ast.unparse(name)] = _value(value, known)
            case ast.AugAssign(target=target, op=op, value=value):
                known[ast.unparse(target)] = _value(ast.BinOp(target, op, value), known)
            case ast.For(body=body) | ast.While(body=body):
                for _ in range(20):
                    _doublings(body, known)
            case ast.If(body=body, orelse=orelse):
                _doublings(body, known)
                _doublings(orelse, known)
            case ast.FunctionDef(body=body):
                _doublings(body, known)
    return max((one.doublings for one in known.values()), default=0)


def _value(node: ast.expr, known: dict[str, _Value]) -> _Value:
    match node:
        case ast.Name(id=name):
            return known.setdefault(name, _Value())
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            a, b = _value(left, known), _value(right, known)
            twice = a is b or 0 < a.doublings == b.doublings
            return _Value(max(a.doublings, b.doublings) + twice)
        case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant(value=1)):
            return _value(left, known)
    return _Value()


def _program(source: random.Random) -> Program:
    writer = Writer(source, source.choice(["float32", "float32", "float32", "float64", "int32"]))
    graph = source.choice(["", "", "", "@tf.function\n", "@tf.function\n", "@tf.function(jit_compile=True)\n"])
    writer.graph = bool(graph)
    roles = ["vector", "scalar", "matrix", "counter", "second", "list", "rows", "growing"]
    possible = [one for one in roles if not (writer.whole and one == "matrix")]
    for what in sorted(source.sample(possible, source.choice([1, 2, 2, 3])), key=roles.index):
        if not (what in ("list", "rows") and writer.made & {"list", "rows"}):
            writer.carry(what)
    head, rest = _header(writer)
    loop = [*head, *indented([*writer.body(1, "while" if head[-1].startswith("while") else "for"), *rest])]
    annotated = writer.rarely(3)
    kinds = {"x": "tf.Tensor", "w": "tf.Tensor", "m": "tf.Tensor", "n": "int"}
    parameters = ", ".join(f"{name}: {kind}" if annotated else name for name, kind in kinds.items())
    results = _results(writer)
    lines = [*writer.before, *loop, *writer.after, f"return {results}"]
    text = f"{PRELUDE}\n{graph}def f({parameters}):\n" + "\n".join(indented(lines)) + "\n"
    few = not source.randrange(12)  # too few to pay
    turns = [3] if few else source.choice([[40], [40], [40], [30], [1, 25], [0, 40], [60, 2, 0]])
    rows = 4 if few or not source.randrange(16) else source.choice([24, 30, 30])
    calls = [_call(writer.dtype, n, rows) for n in turns]
    epsilon = 2.0**-52 if writer.dtype == "float64" else 2.0**-23
    # What is off everywhere alike leaves the balance of a sum as it is: two are off here and there.
    waves = [f"(1 + {2 * epsilon!r} * tf.cos({place} * tf.range(3, dtype=tf.{writer.dtype})))" for place in (2, 5)]
    factors = () if writer.whole else (repr(1 + epsilon), repr(1 - epsilon), repr(1 + 4 * epsilon), *waves)
    nudged = tuple(tuple(_call(writer.dtype, n, rows, factor) for n in turns) for factor in factors)
    return Program(text, tuple(calls), nudged, bool(graph))


def _header(writer: Writer) -> tuple[list[str], list[str]]:
    """The header of the loop, and what ends its body."""
    kind = writer.choose(
        "range",
        "range",
        "range",
        "range2",
        "down",
        "rows",
        "enumerate",
        "zip",
        "unstack",
        "length",
        "while",
        "settle",
        "tf.range",
        "reversed",
    )
    rows = "tf.unstack(x)" if writer.graph else "x"  # AutoGraph doesn't follow enumerate and zip of tensors
    match kind:
        case "range" | "range2" | "down" | "length" | "reversed":
            writer.numbers.append("i")
            form = {
                "range": writer.choose("range(n)", "range(n)", "range(40)"),
                "range2": writer.choose("range(1, n)", "range(0, n, 2)", "range(2, n + 3)"),
                "down": writer.choose("range(n, 0, -1)", "range(n - 1, -1, -1)"),
                "length": writer.choose("range(len(x))", "range(x.shape[0])"),
                "reversed": "reversed(range(n))",
            }[kind]
            if kind == "length":
                writer.vectors.append("x[i]")
            if writer.rarely(6) and kind != "length":
                writer.results.append("i")
            return [f"for i in {form}:"], []
        case "tf.range":
            return ["for i in tf.range(n):"], []
        case "rows" | "unstack":
            writer.vectors.append("row")
            form = "x" if kind == "rows" and not writer.graph else writer.choose("tf.unstack(x)", "reversed(tf.unstack(x))")
            return [f"for row in {form}:"], []
        case "enumerate":
            writer.vectors.append("row")
            writer.numbers.append("i")
            return [f"for i, row in enumerate({rows}):"], []
        case "zip":
            writer.vectors += ["a", "b"]
            writer.before.append("y = x + 1")
            return ["for a, b in zip(tf.unstack(x), tf.unstack(y)):" if writer.graph else "for a, b in zip(x, y):"], []
        case "while":
            writer.before.append("left = n")
            return ["while left > 0:"], ["left -= 1"]
    if "h" not in writer.state:
        writer.carry("vector")
    bound = "3" if writer.whole else "0.25"
    writer.before.append("turns = 0")
    return [f"while tf.reduce_max(tf.abs(h)) > {bound} and turns < n:"], ["turns += 1"]


def _results(writer: Writer) -> str:
    results = list(writer.results)
    if "list" in writer.made or "rows" in writer.made:
        one = "w" if "list" in writer.made else "w[0]"
        writer.before[:] = [f"out = [{one}]" if line == "out = [w]" else line for line in writer.before]
        forms = [
            "tf.stack(out)",
            "tf.stack(out)",
            "tf.add_n(out)",
            "sum(out)",
            "tf.reduce_mean(tf.stack(out), 0)",
            "len(out)",
            "out[-1]",
            "tf.convert_to_tensor(out)",
        ]
        if "list" in writer.made:
            forms += ["tf.concat(out, 0)", "tf.stack(out, axis=1)"]
        results.append(writer.choose(*forms))
    inner = [name for name in ("t", "previous") if name in writer.vectors]
    if inner and writer.rarely(4):
        results.append(inner[0])
    if not results:
        results = ["h"]
    return results[0] if len(results) == 1 else ", ".join(results)


def _call(dtype: str, n: int, rows: int, factor: str = "") -> str:
    if dtype.startswith("int"):
        x = f"tf.reshape(tf.range({3 * rows}), [{rows}, 3]) % 7"
        return f"f({x}, tf.constant([3, -1, 2]), tf.constant([[1, 0, 2], [0, 1, 1], [1, 1, 0]]), {n})"
    by = f" * {factor}" if factor else ""
    x = f"tf.reshape(tf.sin(tf.range({3 * rows}, dtype=tf.{dtype})), [{rows}, 3]){by}"
    m = f"tf.constant([[0.5, 0.1, -0.2], [0.3, 0.4, 0.1], [0.2, -0.6, 0.25]], tf.{dtype}){by}"
    return f"f({x}, tf.constant([0.75, -1.25, 0.3], tf.{dtype}){by}, {m}, {n})"
