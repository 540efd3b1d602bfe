"""Random programs around the patterns of the catalogue, right and slightly wrong: rewritten or not, they mean the same."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from programs import anything, differences, run

from tfrewrite.catalogue import rules
from tfrewrite.engine import Result, rewrite
from tfrewrite.outcomes import Fidelity
from tfrewrite.source import Source, apply_edits

DTYPES = ("float32", "float32", "float64", "int32", "int64", "float16")


@dataclass
class Writer:
    """Writes one program: a few functions around a pattern each, and the calls that run them."""

    random: random.Random
    lines: list[str] = field(default_factory=lambda: ["import tensorflow as tf", "import numpy as np", ""])
    calls: list[str] = field(default_factory=list)
    count: int = 0

    def choose(self, *options: str) -> str:
        return self.random.choice(options)

    def size(self) -> int:
        return self.random.choice((1, 2, 3, 5, 20, 40))

    def another(self, size: int) -> int:
        """Mostly the same size; now and then one that doesn't fit."""
        return self.random.choice((size, size, size, size, 1, size + 1))

    def tensor(self, *shape: int, dtype: str = "float32") -> str:
        dims = ", ".join(map(str, shape))
        if dtype.startswith("int"):
            return f"tf.random.uniform([{dims}], 0, 50, dtype=tf.{dtype})"
        # Nothing negative: a sum that cancels out shows rounding as if it were a difference.
        return self.choose(
            f"tf.random.uniform([{dims}], dtype=tf.{dtype})",
            f"tf.cast(tf.ones([{dims}]), tf.{dtype})",
            f"tf.constant(np.random.rand({dims or ''}), dtype=tf.{dtype})",
        )

    def function(self, body: list[str], result: str, arguments: dict[str, str]) -> None:
        """A pattern as a function of its tensors, or at the top level, in one of many settings."""
        self.count += 1
        name = f"f{self.count}"
        if self.random.random() < 0.3:
            self.calls += [f"{key}{self.count} = {value}" for key, value in arguments.items()]
            for line in [*body, f"r{self.count} = {result}"]:
                for key in arguments:
                    line = _renamed(line, key, f"{key}{self.count}")
                self.calls.append(line)
            return
        decorator = self.choose("", "", "", "@tf.function", "@tf.function(jit_compile=True)")
        annotated = self.random.random() < 0.3
        parameters = ", ".join(f"{key}: tf.Tensor" if annotated else key for key in arguments)
        learned = [line for key in arguments if self.random.random() < 0.15 for line in self.shape_facts(key)]
        self.lines += [decorator] * bool(decorator)
        self.lines += [f"def {name}({parameters}):", *(f"    {line}" for line in [*learned, *body]), f"    return {result}", ""]
        call = f"{name}({', '.join(arguments.values())})"
        if self.random.random() < 0.15:
            self.calls += ["if __name__ == '__main__':", f"    r{self.count} = {call}"]
        elif self.random.random() < 0.1:
            self.calls += ["try:", f"    r{self.count} = {call}", "except Exception as error:", "    print(type(error).__name__)"]
        else:
            self.calls.append(f"r{self.count} = {call}")

    def shape_facts(self, name: str) -> list[str]:
        return [self.choose(f"tf.debugging.assert_rank({name}, 2)", f"assert len({name}.shape) == 2", f"first, second = {name}.shape")]

    def named(self, expression: str, body: list[str]) -> str:
        """The expression, or a name for it, sometimes with something in between or a second use."""
        if self.random.random() < 0.5:
            return expression
        body.append(f"t = {expression}")
        body += {0: ["print(t.shape)"], 1: ["u = 1"], 2: ["t = t + t"]}.get(self.random.randrange(9), [])
        return "t"

    # Patterns

    def transposed_product(self) -> None:
        rank, n, m, k = self.random.choice((2, 2, 2, 3)), self.size(), self.size(), self.size()
        batch = (self.size(),) if rank == 3 else ()
        flip = self.choose("tf.transpose(b)", "tf.linalg.matrix_transpose(b)", f"tf.transpose(b, {[*range(rank - 2), rank - 1, rank - 2]})")
        body: list[str] = []
        operand = self.named(flip, body)
        product = self.choose(f"tf.matmul(a, {operand})", f"a @ {operand}", f"tf.linalg.matmul(a, {operand}) * 2")
        self.function(body, product, {"a": self.tensor(*batch, n, k), "b": self.tensor(*batch, m, self.another(k))})

    def tiled(self) -> None:
        n, m = self.size(), self.size()
        dtype = self.choose(*DTYPES)
        rows = self.another(n)
        expression = self.choose(
            f"tf.tile(a[None, :], [{rows}, 1])",
            f"tf.tile(tf.expand_dims(a, 0), [{rows}, 1])",
            f"tf.repeat(a[tf.newaxis], {rows}, axis=0)",
            "tf.broadcast_to(a, tf.shape(b))",
            "tf.tile(a[None, :], [tf.shape(b)[0], 1])",
            f"tf.broadcast_to(a, [{rows}, {m}])",
        )
        body: list[str] = []
        operand = self.named(expression, body)
        other = self.choose("b", "tf.square(b)", "(b + b)")
        form = self.choose("{} + {}", "{} * {}", "{} - {}", "tf.maximum({}, {})", "tf.math.squared_difference({}, {})")
        pair = (operand, other) if self.random.random() < 0.5 else (other, operand)
        self.function(body, form.format(*pair), {"a": self.tensor(m, dtype=dtype), "b": self.tensor(n, m, dtype=dtype)})

    def diagonal(self) -> None:
        n, k = self.size(), self.size()
        body: list[str] = []
        operand = self.named("tf.linalg.diag(d)", body)
        if self.random.random() < 0.5:
            self.function(body, f"tf.matmul({operand}, m)", {"d": self.tensor(n), "m": self.tensor(self.another(n), k)})
        else:
            self.function(body, f"m @ {operand}", {"d": self.tensor(n), "m": self.tensor(k, self.another(n))})

    def one_hot(self) -> None:
        n, k, count = self.size(), self.size(), self.size()
        ids = self.choose(
            f"tf.range({self.another(n)})",
            f"tf.random.uniform([{count}], 0, {self.another(n)}, dtype=tf.int32)",
            f"tf.argmax(tf.random.normal([{count}, {self.another(n)}]), axis=1)",
            f"tf.range({count}) % {self.another(n)}",
            f"tf.constant({[self.random.randrange(n + 1) for _ in range(count)]})",
        )
        table = self.choose(self.tensor(self.another(n), k), f"tf.Variable(tf.ones([{n}, {k}]), trainable=False)")
        body: list[str] = []
        operand = self.named(f"tf.one_hot(ids, {n})", body)
        self.function(body, f"tf.matmul({operand}, table)", {"ids": ids, "table": table})

    def trace(self) -> None:
        n, m = self.random.choice((3, 128, 200)), self.random.choice((1, 4, 64))
        body: list[str] = []
        swapped = self.random.random() < 0.5
        operand = self.named("tf.matmul(a, b, transpose_b=True)" if swapped else self.choose("tf.matmul(a, b)", "a @ b"), body)
        shape = (self.another(n), m) if swapped else (m, self.another(n))
        self.function(body, f"tf.linalg.trace({operand})", {"a": self.tensor(n, m), "b": self.tensor(*shape)})

    def repeated_sum(self) -> None:
        count = self.random.choice((0, 1, 3, 100, 1000))
        shape = self.random.choice(((), (), (3,), (2, 2), (0,)))
        body: list[str] = []
        operand = self.named(f"tf.repeat(e, {count})", body)
        self.function(body, f"tf.reduce_sum({operand})", {"e": self.tensor(*shape, dtype=self.choose(*DTYPES[:5]))})

    def mapped(self) -> None:
        rows, width, count = self.size(), self.size(), self.random.choice((10, 400))
        inner = self.choose(
            f"tf.reduce_sum(tf.repeat(e, {count}))", "tf.reduce_max(e[:, None] * e[None, :])", f"tf.tile(e, [{count}]) * 2.0"
        )
        self.function([], f"tf.map_fn(lambda e: {inner}, rows)", {"rows": self.tensor(rows, width)})

    def assigned(self) -> None:
        self.count += 1
        i, shape = self.count, (self.size(), self.size())
        change = self.choose(self.tensor(*shape), "1.0", self.tensor(1, shape[1]), f"v{i} * 0.5", f"np.ones({shape}, np.float32)")
        total = self.choose(f"v{i} + d{i}", f"d{i} + v{i}", f"v{i} - d{i}", f"d{i} - v{i}", f"tf.add(v{i}, d{i})", f"v{i} + d{i} + d{i}")
        self.calls += [f"v{i} = tf.Variable({self.tensor(*shape)})", f"d{i} = {change}", f"v{i}.assign({total})"]

    def taped(self) -> None:
        self.count += 1
        i, n = self.count, self.size()
        where = "    " if self.random.random() < 0.3 else ""
        asked = [f"{where}g{i} = tape{i}.gradient(y{i}, x{i})"] * self.random.choice((1, 1, 2))
        self.calls += [
            f"x{i} = tf.Variable(tf.ones([{n}]))",
            f"with tf.GradientTape(persistent=True) as tape{i}:",
            f"    y{i} = tf.reduce_sum(tf.square(x{i}) * 3.0)",
            *asked,
        ]

    def chain(self) -> None:
        steps = self.random.randrange(2, 6)
        body, names = [], ["x"]
        for index in range(steps):
            name = self.choose(f"n{index}", f"n{index}", "n0") if index else "n0"
            source, second = self.random.choice(names[-2:]), self.random.choice(names)
            body.append(
                f"{name} = "
                + self.choose(f"tf.square({source})", f"{source} * 2.0", f"{source} + {second}", f"tf.reshape({source}, [-1])[:1]")
            )
            if self.random.random() < 0.15:
                body.append(self.choose(f"if {index} > 1:\n        print({name}.shape)", f"g = lambda: {name}", f"print({name}.dtype)"))
            names.append(name)
        self.function(body, self.choose(names[-1], f"({names[-1]}, {self.random.choice(names)})"), {"x": self.tensor(400, 300)})


def _renamed(line: str, old: str, new: str) -> str:
    import re

    return re.sub(rf"\b{old}\b", new, line)


PATTERNS = (
    Writer.transposed_product, Writer.tiled, Writer.tiled, Writer.diagonal, Writer.one_hot, Writer.trace, Writer.repeated_sum, Writer.mapped,
    Writer.assigned, Writer.taped, Writer.chain, Writer.chain,
)  # fmt: skip


def program(seed: int) -> str:
    writer = Writer(random.Random(seed))
    for _ in range(writer.random.randrange(1, 4)):
        writer.random.choice(PATTERNS)(writer)
    return "\n".join([*writer.lines, *writer.calls, ""])


def check(seed: int, unsafe: bool = False) -> Result:
    """Runs both halves of a random program; with `unsafe` the unproven is right here, as nothing else calls it."""
    text = program(seed)
    result = rewrite(Source(text), anything(rules(), unsafe))
    if result.edits:
        after = apply_edits(text, result.edits)
        fidelity = max(one.fidelity for one in result.rewrites)
        found = differences(run(text, "before.py"), run(after, "after.py"), fidelity if fidelity else Fidelity.BITWISE)
        assert not found, f"seed {seed}:\n{text}\n--- became ---\n{after}\n{found}"
    return result


def _check_all(seeds: range) -> Counter[str]:
    made: Counter[str] = Counter()
    for seed in seeds:
        result = check(seed)
        made.update(one.rule for one in result.rewrites)
        made["refusals"] += len(result.refusals)
        made["programs"] += 1
        made["programs changed"] += bool(result.edits)
    return made


def test_random_programs_mean_the_same(record_property: Any) -> None:
    made = _check_all(range(60))
    record_property("random programs", dict(made))
    assert made["programs changed"] >= 16, made


@pytest.mark.fuzz
@pytest.mark.parametrize("seeds", [range(60, 150), *(range(first, first + 300) for first in range(1000, 4000, 300))], ids=str)
def test_many_random_programs_mean_the_same(seeds: range, record_property: Any) -> None:
    record_property("random programs", dict(_check_all(seeds)))
