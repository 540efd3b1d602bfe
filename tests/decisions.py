"""Random scripts whose results decide something: a floor, a count, a mask, an argmax, an int, a branch.

Where a rewrite rounds otherwise, such a script gives another answer. About a third of them decide nothing, and some compute only
with whole numbers, whose bits can't change: these may be rewritten.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

PRELUDE = "import numpy as np\nimport tensorflow as tf\n"


class Kind(Enum):
    """What becomes of the numbers that a program computes."""

    DECIDES = "decides"
    SHOWS = "shows numbers alone"
    WHOLE = "computes with whole numbers"


def kind(seed: int) -> Kind:
    """What the program of this number does with its results."""
    return _writer(seed).kind


def program(seed: int) -> str:
    """A script, the same one for each number."""
    return _writer(seed).program()


def _writer(seed: int) -> Writer:
    draw = random.Random(seed)
    return Writer(draw, draw.choices([Kind.DECIDES, Kind.SHOWS, Kind.WHOLE], [5, 3, 2])[0])


@dataclass(frozen=True)
class Value:
    """A vector of floats or ints that an expression of the top level gives, and where a number of them lies."""

    text: str
    middle: str
    """What about half of the elements may be above."""


@dataclass
class Writer:
    draw: random.Random
    kind: Kind
    functions: list[str] = field(default_factory=list)
    script: list[str] = field(default_factory=list)
    count: int = 0
    favourite: str = "41.0"
    """The number that this part of the program divides by: its multiples are where a quotient is a whole number."""
    chaotic: bool = False
    """The numbers begin where a recurrence of this part amplifies what they are off by."""

    def program(self) -> str:
        for _ in range(self.draw.choice((1, 1, 1, 2))):
            self.count += 1
            self.favourite = self.choose("41.0", "41.0", "47.0", "55.0", "61.0", "82.0", "97.0", "107.0", "7.0", "10.0", "0.3")
            self.draw.choices([make for make, _ in MAKERS], [weight for _, weight in MAKERS])[0](self)
        return "\n\n".join([PRELUDE, *(f"{one}\n" for one in self.functions), "\n".join(self.script)]).replace("\n\n\n\n", "\n\n\n") + "\n"

    # Small things

    def choose(self, *options: str) -> str:
        return self.draw.choice(options)

    def rarely(self, one_in: int = 4) -> bool:
        return not self.draw.randrange(one_in)

    def name(self, *options: str) -> str:
        """A name that no other part of the program has."""
        return f"{self.choose(*options)}{self.count if self.count > 1 else ''}"

    def divisor(self) -> str:
        return self.choose(*[self.favourite] * 6, "3.0", "7.0", "49.0", "60.0")

    def factor(self) -> str:
        return self.choose("0.1", "0.3", "0.7", "1.1", "0.9", "0.05", "1.7", "3.7", "0.01", "2.54")

    def function(self, head: str, lines: list[str], *decorators: str) -> None:
        self.functions.append("\n".join([*decorators, head, *_indented(lines)]))

    # What a loop does in each of its iterations

    def start(self) -> str:
        """Numbers to begin with: those of a range, or its multiples."""
        size = self.draw.choice((20, 50, 200, 500, 1000))
        if self.kind is Kind.SHOWS:
            form = self.choose(
                f"tf.range({size}, dtype=tf.float32) / {size}.0", f"tf.linspace(0.1, 2.0, {size})", f"tf.fill([{size}], 0.7)"
            )
            return form
        if self.kind is Kind.WHOLE:
            return self.choose(f"tf.range({size})", f"tf.range({size}, dtype=tf.float32)", f"tf.cast(tf.range({size}) % 17, tf.float32)")
        if self.chaotic:
            return f"tf.range({size}, dtype=tf.float32) / {4 * size}.0"
        by = self.choose("", "", f" * {self.factor()}", *[f" * {self.favourite}"] * 3, f" / {size}.0", f" / {self.divisor()}")
        form = self.choose(f"tf.range({size}, dtype=tf.float32)", f"tf.cast(tf.range({size}), tf.float32)")
        return form if self.rarely(20) else f"{form}{by}"

    def step(self, counted: bool = False) -> list[str]:
        """Lines that give x another value; whole steps where what is counted rounds."""
        if self.kind is Kind.WHOLE:
            return [
                self.choose("x = x + 1", "x = x + 2", "x = tf.maximum(x + 1, 5)", "x = x * 3 % 1001", "x = tf.abs(x - 3)", "x = x + x % 5")
            ]
        c, d, m = self.factor(), self.factor(), self.divisor()
        if self.kind is Kind.SHOWS:
            return [
                self.choose(
                    "x = 0.5 * x + 0.25",
                    "x = tf.tanh(x) + 0.5",
                    "x = tf.sqrt(x + 1.0)",
                    f"x = x * 0.9 + {c}",
                    f"x = x * 0.5 + {c} / (1.0 + x)",
                    f"x = (x + {c}) / {self.choose('3.0', '7.0', '1.5')}",
                    f"x = tf.exp(-x) + {c}",
                    "x = tf.sigmoid(x) * 2.0",
                    "x = tf.math.log(x + 3.0)",
                )
            ]
        if counted and self.rarely(2):
            return [self.choose("x = x + 1.0", "x = x + 2.0", f"x = x + {self.favourite}", f"x = x + {self.favourite}")]
        return [
            self.choose(
                f"x = x + {c}",
                f"x = x - x / {m}",
                f"x = x * 0.9 + {c}",
                f"x = (x * {c} + {d}) % {m}",
                f"x = x - x / {m} + x * {c} / {m}",
                f"x = tf.tanh(x) * {c} + {d}",
                f"x = tf.sqrt(x * x + {c})",
                f"x = tf.sin(x) * {c} + x",
                f"x = 0.5 * (x + {m} / (x + 1.0))",
                f"x = x * x / (x + {m}) + {c}",
                "x = 3.7 * (x - x * x) % 1.0",
                f"x = x + {c} * tf.exp(-x)",
            )
        ]

    def formula(self) -> str:
        """Of x, such that many of its values are whole numbers or equal to others, but for rounding."""
        c, d, m = self.factor(), self.factor(), self.divisor()
        return self.choose(
            f"x / {m}", f"x / {m}", f"x / {m}", f"x * {c} * {d}", f"x / {m} / {self.divisor()}", f"x * {c} + {d}", f"x * {c} + x * {d}", f"(x + {c}) * {d}",
            f"x * x / {m}", f"x * x - x * {c}", f"x**3 / {m}", f"tf.sqrt(x * x + {c}) * {d}", f"tf.exp(x * -{c}) * {m}", f"x + {c} + {d}",
        )  # fmt: skip

    def counted(self) -> str:
        """What is added to a total in each turn: a decision."""
        f, c = self.formula(), self.factor()
        if self.rarely(5):
            helper = self.name("share", "scaled", "weighted")
            self.function(f"def {helper}(x):", [f"return {f}"])
            f = f"{helper}(x)"
        limit = self.choose("1.0", "2.0", "0.5", "5.0", "10.0", "20.0")
        return self.choose(
            f"tf.floor({f})", f"tf.floor({f})", f"tf.floor({f})", f"tf.round({f})", f"tf.cast({f} >= {limit}, tf.float32)", f"tf.cast(({f}) % 1.0 < 0.5, tf.float32)",
            f"tf.sign({f} - tf.round({f}))", f"({f}) // {c}", f"tf.where({f} < {limit}, 1.0, 0.0)", f"tf.cast({f} == tf.round({f}), tf.float32)",
            f"tf.math.ceil({f})", f"tf.cast(tf.cast({f}, tf.int32), tf.float32)", f"({f}) % {c}", f"tf.cast({f} > x * {c} * {self.factor()}, tf.float32)",
        )  # fmt: skip

    def body(self) -> tuple[list[str], list[str], str]:
        """What stands before a loop over x, in it, and what of it is a result."""
        counted = self.kind is Kind.DECIDES and not self.rarely(3)
        step = [line for _ in range(self.draw.choice((1, 1, 2))) for line in self.step(counted)]
        self.chaotic = self.kind is Kind.DECIDES and self.rarely(10)
        if self.chaotic and self.rarely(2):
            return ["y = x * 0.5"], ["x, y = 1.0 - 1.4 * x * x + y, 0.3 * x"], "x"
        if self.chaotic:
            step = [self.choose("x = 3.9 * (x - x * x)", "x = 4.0 * x - 4.0 * x * x", "x = (x * 7.3 + 0.1) % 1.0")]
        if counted:
            add = self.choose("total = total + {}", "total += {}").format(self.counted())
            return ["total = tf.zeros_like(x)"], self.draw.choice(([*step, add], [add, *step])), "total"
        if self.kind is Kind.WHOLE:
            add = self.choose(
                "total = total + x", "total = tf.maximum(total, x)", "total = total + x % 7", "total = total + tf.abs(x - 40)"
            )
            return ["total = tf.zeros_like(x)"], [*step, add], self.choose("total", "total", "x")
        if self.rarely(3):
            add = self.choose("total = total + x * x", "total = total + x", "total = tf.maximum(total, x)", "total = total * 0.5 + x")
            return ["total = tf.zeros_like(x)"], [*step, add], "total"
        return [], step, "x"

    # What computes

    def looping(self) -> None:
        """A function with a loop, in eager code or in a graph."""
        name, turns = self.name("buckets", "settle", "evolve", "scan", "levels"), self.draw.choice((60, 60, 80, 100))
        before, body, result = self.body()
        counted = self.rarely(3)
        header = self.choose("for i in range(n):", "for _ in range(n):") if not counted else f"for _ in range({turns}):"
        decorators = [self.choose("@tf.function", "@tf.function", "@tf.function(jit_compile=True)")] if self.rarely(8) else []
        argument = self.start()
        alone = re.compile(rf"(?<![\d.]){re.escape(self.favourite)}(?!\d)")
        place = self.choose("", "", "", "argument", "argument", "constant") if alone.search("\n".join(body)) else ""
        width = "width" if place == "argument" else f"WIDTH_{self.count}"
        body = [alone.sub(width, line) for line in body] if place else body
        if place == "constant":
            self.functions.append(f"{width} = {self.favourite}")
        inner, result = self.inside(result) if not decorators else ([], result)
        self.function(
            f"def {name}({', '.join(['x', *(['width'] if place == 'argument' else []), *([] if counted else ['n'])])}):",
            [*before, header, *_indented(body), *inner, f"return {result}"],
            *decorators,
        )
        numbers = [*([self.favourite] if place == "argument" else []), *([] if counted else [str(turns)])]
        self.use(name, [argument, *numbers], bool(inner))

    def at_the_top(self) -> None:
        """The loop stands in the script itself."""
        before, body, result = self.body()
        argument = self.start()
        mine = f"{result}{self.count}"
        lines = [f"x = {argument}", *before, f"for _ in range({self.draw.choice((60, 90))}):", *_indented(body)]
        self.script += [*lines, f"{mine} = {result}"]
        self.judge(Value(mine, self.middle()))

    def until(self) -> None:
        """A loop that a tensor ends, and how many turns it took."""
        name = self.name("turns", "converge", "fill")
        if self.kind is Kind.SHOWS:
            return self.looping()
        if self.kind is Kind.WHOLE:
            size, step, asked = "40", "x = x + 2", "tf.reduce_max(x) < 300"
            start = f"tf.range({size})"
        else:
            c, size = self.choose("0.1", "0.3", "0.7", "0.05"), self.choose("20", "50")
            step, asked, start = self.draw.choice(
                (
                    (f"x = x + {c}", f"tf.reduce_max(x) < {c} * 80", f"tf.zeros([{size}])"),
                    (f"x = x - {c}", "tf.reduce_sum(x) > 0.0", f"tf.fill([{size}], {c} * 70)"),
                    (f"x = x + 1.0 / {self.favourite}", "tf.reduce_min(x) < 2.0", f"tf.zeros([{size}])"),
                    (
                        f"x = 0.5 * (x + {self.favourite} / x)",
                        f"tf.reduce_any(x * x != {self.favourite}) and steps < 90",
                        f"tf.range(1.0, {size}.0)",
                    ),
                    ("x = x * 0.9", "tf.reduce_max(x) * 1e4 > 1.0", f"tf.range({size}, dtype=tf.float32)"),
                )
            )
        lines = ["steps = 0", f"while {asked}:", f"    {step}", "    steps += 1", f"return {self.choose('x, steps', 'x, steps', 'steps')}"]
        self.function(f"def {name}(x):", lines)
        self.script.append(f"answer{self.count} = {name}({start})")

    def collecting(self) -> None:
        """A list of what each turn gives, joined or added up."""
        name = self.name("history", "waves", "paths")
        step = self.step()
        member = "x" if self.kind is not Kind.DECIDES else self.choose("x", "x", self.formula())
        joined = self.choose(
            "tf.stack(found)", "tf.stack(found)", "tf.add_n(found)", "tf.reduce_mean(tf.stack(found), axis=0)", "tf.stack(found, axis=1)"
        )
        if self.kind is Kind.WHOLE and "mean" in joined:
            joined = "tf.reduce_max(tf.stack(found), axis=0)"
        lines = ["found = []", "for _ in range(n):", *_indented([*step, f"found.append({member})"]), f"return tf.reshape({joined}, [-1])"]
        argument = self.start()
        self.function(f"def {name}(x, n):", lines)
        self.use(name, [argument, str(self.draw.choice((50, 70)))], False)

    def in_a_method(self) -> None:
        """An object keeps what its method has computed."""
        group, value = self.name("Ranking", "Model", "Tracker"), self.choose("scores", "state", "levels")
        before, body, result = self.body()
        argument = self.start()
        size = self.middle()
        methods = [
            "def run(self, x, n):",
            *_indented([*before, "for _ in range(n):", *_indented(body), f"self.{value} = {result}"]),
        ]
        mine = group.lower()
        asked = self.decision(f"self.{value}", size) if self.kind is not Kind.SHOWS else ""
        if asked and not self.rarely(3):
            methods += ["", "def answer(self):", *_indented([f"return {asked}"])]
        self.functions.append("\n".join([f"class {group}:", *_indented(methods)]))
        self.script += [f"{mine} = {group}()", f"{mine}.run({argument}, {self.draw.choice((60, 80))})"]
        if len(methods) > 2 and methods[-1].strip().startswith("return") and asked:
            self.script.append(f"answer{self.count} = {mine}.answer()")
        else:
            self.judge(Value(f"{mine}.{value}", size))

    def multiplying(self) -> None:
        """A product that is broadcast and summed, whose rows come in pairs that differ in their order alone."""
        n, m, k = self.draw.choice(((60, 200, 40), (100, 100, 40), (40, 160, 64)))
        name = self.name("scores", "similar", "votes")
        self.function(f"def {name}(queries, items):", [f"return {self.summed()}"])
        lines = [
            f"half = tf.reshape({self.waves()}(tf.range({m // 2 * k}.0)), [{m // 2}, {k}])",
            "items = tf.concat([half, tf.reverse(half, [1])], axis=0)",
            f"queries = tf.reshape({self.waves()}(tf.range({n * k}.0)), [{n}, {k}])",
            "queries = queries + tf.reverse(queries, [1])",
        ]
        if self.kind is not Kind.DECIDES:
            turned = "{} = tf.round({} * 8.0)" if self.kind is Kind.WHOLE else "{} = {} * {} + 0.5"
            lines += [turned.format(one, one, one) for one in ("items", "queries")]
        self.script += lines
        call = f"{name}(queries, items)"
        if self.kind is Kind.SHOWS:
            return self.judge(Value(f"tf.reshape({call}, [-1])", "1.0"))
        best = self.choose(
            f"tf.argmax({call}, axis=1)", f"np.argmax({call}.numpy(), axis=1)", f"tf.math.top_k({call}, k=3).indices",
            f"tf.argsort({call}, axis=1, stable=True)", f"tf.math.in_top_k(tf.range({n}) % {m}, {call}, k=1)",
            f"tf.argmax(tf.reduce_max({call}, axis=0))", f"tf.cast({call} * 1e4, tf.int32) % 10",
            f"tf.math.count_nonzero({call} == tf.roll({call}, {m // 2}, axis=1))",
        )  # fmt: skip
        self.script.append(f"best{self.count} = {best}")

    def summed(self) -> str:
        return self.choose(
            "tf.reduce_sum(queries[:, None, :] * items[None, :, :], axis=-1)", "tf.reduce_sum(queries[:, None] * items[None], 2)",
            "tf.reduce_sum(queries[:, None, :] * items[None, :, :], axis=2)", "tf.matmul(queries, tf.transpose(items))",
            "queries @ tf.transpose(items)",
        )  # fmt: skip

    def waves(self) -> str:
        return self.choose("tf.sin", "tf.cos")

    def summing(self) -> None:
        """A trace, or a number that is repeated and summed."""
        name = self.name("overlap", "total", "energy")
        if self.rarely(2):
            self.function(f"def {name}(x):", [f"return tf.reduce_sum(tf.repeat(x, {self.choose('1000', '10000')}))"])
            number = self.choose("0.1", "0.7", "1.1", "2.3") if self.kind is not Kind.WHOLE else self.choose("2.0", "3.0")
            call = f"{name}(tf.constant({number}))"
        else:
            self.function(f"def {name}(x):", ["return tf.linalg.trace(tf.matmul(x, x, transpose_b=True))"])
            by = " % 5.0" if self.kind is Kind.WHOLE else " / 6000.0"
            call = f"{name}(tf.reshape(tf.range(60000.0), [300, 200]){by})"
        if self.kind is Kind.SHOWS:
            self.script.append(f"total{self.count} = {call}")
        else:
            scale = self.choose("", " * 10.0", " * 100.0")
            self.script.append(f"whole{self.count} = {self.choose(f'int({call}{scale})', f'tf.cast(tf.floor({call}{scale}), tf.int32)')}")

    def of_large_tensors(self) -> None:
        """A formula of tensors of 4 MB, called more than once."""
        name = self.name("smooth", "shares", "discriminant")
        c, d, m = self.factor(), self.factor(), self.divisor()
        if self.kind is Kind.WHOLE:
            lines = self.draw.choice(
                (["a = x + 1.0", "b = y + 2.0", "return a + b"], ["a = x * 2.0", "b = a + y", "return tf.maximum(b, x)"])
            )
        elif self.kind is Kind.SHOWS:
            lines = self.draw.choice(
                (["a = tf.tanh(x)", "b = tf.tanh(y)", "return a + b + 2.0"], [f"a = x * x + {c}", "b = y + 1.0", "return a * b + a"])
            )
        else:
            lines = self.draw.choice(
                (
                    [f"a = x / {m}", f"b = y / {m}", "return a + b"],
                    [f"a = x / {m}", f"b = y / {m}", "return a + b"],
                    [f"a = x * {c}", f"b = y * {c}", "return a * y - b * x"],
                    [f"b = 2.0 * {c} * x", f"return b * b - 4.0 * {c} * ({c} * x * x) + y * 0.0"],
                    [f"a = x * {c} * {d}", f"b = y * ({c} * {d})", "return a - b"],
                    [f"a = x / {m}", f"return a * {m} - x + a"],
                    ["cube = x * x * x", f"return {c} * x * (1.0 + tf.tanh({d} * (x + 0.0447 * cube)))"],
                )
            )
        decorators = ["@tf.function"] if self.rarely(3) else []
        self.function(f"def {name}(x, y):", lines, *decorators)
        by = " / 110000.0" if self.kind is Kind.DECIDES and self.rarely(4) else ""
        if self.kind is Kind.SHOWS:
            by = " / 1100000.0"
        self.script.append(f"x = tf.reshape(tf.range(1100000.0), [1100, 1000]){by}")
        for number, second in enumerate(("x", f"x + {self.favourite}" if self.kind is Kind.DECIDES else "x + 1.0")):
            mine = f"level{self.count}_{number}"
            call = f"{name}(x, {second})"
            if self.kind is Kind.SHOWS:
                self.script.append(f"{mine} = tf.reduce_mean({call})")
                continue
            judged = self.choose(
                f"int(tf.reduce_sum(tf.cast({call}, tf.int32) % 7))", f"int(tf.reduce_sum(tf.cast({call}, tf.int32) % 10))", f"int(tf.math.count_nonzero({call} > {self.choose('0.0', '10.0')}))",
                f"int(tf.reduce_sum(tf.cast(tf.sign({call}), tf.int32)))", f"tf.argmax(tf.reshape({call}, [-1]))",
                f"int(np.sum({call}.numpy() > 1.0))", f"tf.reduce_sum(tf.cast(tf.floor({call}) % 3.0, tf.int32))",
            )  # fmt: skip
            self.script.append(f"{mine} = {judged}")

    def in_blocks(self) -> None:
        """Attention, which may be computed in blocks of rows."""
        name = self.name("attend", "mixed")
        self.function(f"def {name}(q, k, v):", ["return tf.nn.softmax(q @ tf.transpose(k)) @ v"])
        waves = self.waves()
        self.script.append(f"q = tf.reshape({waves}(tf.range(1500.0 * 16.0)), [1500, 16])")
        call = f"{name}(q, q, q)"
        if self.kind is Kind.DECIDES:
            call = self.choose(
                f"tf.cast({call} * 1e8, tf.int32) % 10",
                f"tf.argmax({call}, axis=0)",
                f"int(tf.reduce_sum(tf.cast({call} * 1e7, tf.int32) % 10))",
            )
        elif self.kind is Kind.WHOLE:
            call = self.choose("tf.argmax(q @ tf.ones([16, 4]) * 0.0, axis=1)", "tf.shape(q)[0] * 2")
        self.script.append(f"mixed{self.count} = {call}")

    # What is done with it

    def inside(self, result: str) -> tuple[list[str], str]:
        """Now and then the function itself decides: lines, and what it returns then."""
        if self.kind is Kind.SHOWS or not self.rarely(4):
            return [], result
        return [f"chosen = {self.decision(result, self.middle())}"], "chosen"

    def middle(self) -> str:
        return self.choose("1.0", "10.0", "0.5", "3.0", "100.0") if self.kind is Kind.DECIDES else "10"

    def decision(self, value: str, middle: str) -> str:
        """An expression of the vector that depends on its last bits, or would if they could change."""
        if self.kind is Kind.WHOLE:
            return self.choose(
                f"tf.argmax({value})", f"tf.argsort({value}, stable=True)", f"int(tf.math.count_nonzero({value} > {middle}))", f"np.argmax({value}.numpy())",
                f"np.sort({value}.numpy())", f"tf.cast({value}, tf.int64) % 10", f"[int(one) for one in {value}[:9]]", f"tf.unique({value}).y",
            )  # fmt: skip
        digits = self.choose("1e3", "1e4", "1e5", "1e5", "100.0")
        options = [
            f"tf.cast({value}, tf.int32)", f"tf.cast({value} * {digits}, tf.int32)", f"tf.argsort({value}, stable=True)", f"tf.argmax({value})",
            f"int(tf.reduce_sum(tf.cast({value} * {digits}, tf.int32) % 10))", f"int(tf.math.count_nonzero({value} > {middle}))", f"{value} >= {middle}",
            f"np.argsort({value}.numpy(), kind='stable')", f"np.argmax({value}.numpy())", f"np.floor({value}.numpy() * {digits}).astype(int)", f"tf.round({value} * {digits}) % 2.0",
            f"tf.floor({value})", f"tf.math.top_k({value}, k=5).indices", f"tf.size(tf.unique({value}).y)", f"tf.sign({value} - {middle})",
            f"[f'{{float(one):.5f}}' for one in {value}[:20]]", f"[int(one) for one in {value}[:20]]", f"bool(tf.reduce_all({value} >= {middle}))",
            f"tf.searchsorted(tf.range(0.0, 20.0, 0.1), {value})", f"tf.argsort({value} * {digits} % 1.0, stable=True)", f"tf.equal({value}, tf.round({value}))", f"int(np.sum({value}.numpy() == np.round({value}.numpy())))",
            f"'up' if float(tf.reduce_sum({value})) > {middle} else 'down'", f"sorted(range(20), key=lambda place: float({value}[place]))",
            f"tf.histogram_fixed_width({value}, [0.0, 20.0], nbins=20)",
        ]  # fmt: skip
        return self.draw.choice(options)

    def use(self, name: str, arguments: list[str], decided: bool) -> None:
        """Calls the function, from one of many places, and does something with what comes back."""
        call = f"{name}({', '.join(arguments)})"
        mine = f"answer{self.count}"
        if decided:
            self.script.append(f"{mine} = {call}")
            return
        middle = self.middle()
        if self.kind is Kind.SHOWS:
            return self.judge(Value(call, middle))
        places: list[Callable[[], None]] = [
            lambda: self.judge(Value(call, middle)), lambda: self.by_the_caller(name, arguments, middle), lambda: self.by_a_helper(call, middle),
            lambda: self.in_a_container(call, middle), lambda: self.by_a_closure(name, arguments, middle), lambda: self.behind_an_attribute(call, middle),
            lambda: self.by_a_branch(call, middle), lambda: self.from_a_global(call, middle),
        ]  # fmt: skip
        self.draw.choice(places)()

    def judge(self, value: Value) -> None:
        """At the top level: a decision, or what shows the numbers as they are."""
        mine = f"result{self.count}"
        self.script.append(f"{mine} = {value.text}")
        if self.kind is Kind.SHOWS:
            shown = self.choose(
                f"print(f'{{float(tf.reduce_mean({mine})):.1f}}')", f"mean{self.count} = tf.reduce_mean({mine})", f"half{self.count} = {mine} / 2.0",
                f"print({mine}.shape)", f"array{self.count} = {mine}.numpy()", f"norm{self.count} = tf.norm({mine})",
            )  # fmt: skip
            self.script.append(shown)
        else:
            self.script.append(self.kept(f"answer{self.count}", self.decision(mine, value.middle)))

    def kept(self, name: str, value: str) -> str:
        """Mostly a name; a number is printed, too."""
        return f"print({value})" if value.startswith(("int(", "bool(")) and self.rarely(2) else f"{name} = {value}"

    def by_the_caller(self, name: str, arguments: list[str], middle: str) -> None:
        caller = self.name("report", "chosen", "summary")
        first, *rest = arguments
        self.function(f"def {caller}(x):", [f"found = {name}({', '.join(['x', *rest])})", f"return {self.decision('found', middle)}"])
        self.script.append(self.kept(f"answer{self.count}", f"{caller}({first})"))

    def by_a_helper(self, call: str, middle: str) -> None:
        helper = self.name("decide", "rank", "at_least")
        self.function(f"def {helper}(values):", [f"return {self.decision('values', middle)}"])
        self.script.append(self.kept(f"answer{self.count}", f"{helper}({call})"))

    def in_a_container(self, call: str, middle: str) -> None:
        mine = f"results{self.count}"
        if self.rarely(2):
            other = " / 2.0" if self.kind is Kind.DECIDES else " + 1"
            self.script += [f"{mine} = {{'first': {call}, 'other': {call}{other}}}"]
            self.script.append(f"answer{self.count} = {{name: {self.decision('value', middle)} for name, value in {mine}.items()}}")
        else:
            self.script += [f"{mine} = []", f"{mine}.append({call})", f"answer{self.count} = {self.decision(f'{mine}[0]', middle)}"]

    def by_a_closure(self, name: str, arguments: list[str], middle: str) -> None:
        maker = self.name("watched", "judge_of")
        first, *rest = arguments
        lines = [
            f"found = {name}({', '.join(['x', *rest])})",
            "",
            "def asked():",
            *_indented([f"return {self.decision('found', middle)}"]),
            "",
            "return asked",
        ]
        self.function(f"def {maker}(x):", lines)
        self.script += [f"answer{self.count} = {maker}({first})()"]

    def behind_an_attribute(self, call: str, middle: str) -> None:
        group = self.name("Board", "Report")
        methods = [
            "def __init__(self, scores):",
            "    self.scores = scores",
            "",
            "def best(self):",
            f"    return {self.decision('self.scores', middle)}",
        ]
        self.functions.append("\n".join([f"class {group}:", *_indented(methods)]))
        self.script += [f"board{self.count} = {group}({call})", f"answer{self.count} = board{self.count}.best()"]

    def by_a_branch(self, call: str, middle: str) -> None:
        asked = self.choose(
            f"tf.reduce_max(found{self.count}) > {middle}", f"float(found{self.count}[-1]) >= {middle}", f"found{self.count}[0] == {middle}"
        )
        asked = asked.replace("float(", "(")
        self.script += [f"found{self.count} = {call}", f"if {asked}:", "    word = 'above'", "else:", "    word = 'below'"]
        self.script += ["print(word)", f"answer{self.count} = {self.decision(f'found{self.count}', middle)}"]

    def from_a_global(self, call: str, middle: str) -> None:
        reader, mine = self.name("asked", "look"), f"found{self.count}"
        self.function(f"def {reader}():", [f"return {self.decision(mine, middle)}"])
        self.script += [f"{mine} = {call}", f"answer{self.count} = {reader}()"]


MAKERS: list[tuple[Callable[[Writer], None], int]] = [
    (Writer.looping, 50), (Writer.until, 6), (Writer.at_the_top, 8), (Writer.collecting, 10), (Writer.in_a_method, 9), (Writer.multiplying, 9), (Writer.summing, 6),
    (Writer.of_large_tensors, 6), (Writer.in_blocks, 2),
]  # fmt: skip


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]
