"""What is said to keep its bits in a graph and under XLA, against what random formulas give there."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import gast
import numpy as np
import pytest
import tensorflow as tf

from tfrewrite.facts import Facts
from tfrewrite.rounding.operations import Backend, beyond_rounding, changed
from tfrewrite.source import Source

HEAD = "import tensorflow as tf\n\n\ndef formula(x: tf.Tensor, y: tf.Tensor, r: tf.Tensor, s: tf.Tensor, w: tf.Tensor):\n"
UNARY = (
    "tf.tanh({})", "tf.sigmoid({})", "tf.exp({})", "tf.abs({})", "tf.square({})", "tf.sqrt({})", "tf.nn.relu({})", "-{}", "tf.math.log({})",
    "tf.math.rsqrt({})", "tf.math.reciprocal({})", "tf.sin({})", "tf.nn.softplus({})", "tf.floor({})", "tf.sign({})", "tf.nn.elu({})",
    "tf.math.log1p({})", "tf.math.expm1({})", "tf.round({})", "{} ** 2", "{} ** 3", "tf.identity({})", "tf.math.erf({})", "tf.nn.leaky_relu({})",
)  # fmt: skip
REDUCED = ("tf.reduce_sum({}, -1, keepdims=True)", "tf.reduce_mean({}, 0)", "tf.reduce_max({}, -1, keepdims=True)", "tf.nn.softmax({})")
BINARY = (
    "{} + {}", "{} - {}", "{} * {}", "{} / {}", "tf.maximum({}, {})", "tf.where({} > 0.0, {}, 1.0)", "tf.math.squared_difference({}, {})",
    "{} // {}", "{} % {}", "tf.add_n([{0}, {1}, {0}])",
)  # fmt: skip
NUMBERS = ("2.0", "0.5", "41.0", "0.1", "1.0", "3", "-1.5", "7.0")


def formula(seed: int) -> str:
    """A function of a few statements, whose names are read again."""
    draw = random.Random(seed)
    whole, others, lines = ["x", "y"], ["r", "s"], []
    for place in range(draw.randrange(1, 6)):
        chance, one = draw.random(), draw.choice(whole)
        if chance < 0.3:
            value = draw.choice(UNARY).format(one)
        elif chance < 0.55:
            value = draw.choice(BINARY).format(*draw.sample([one, draw.choice(whole + others)], 2))
        elif chance < 0.8:
            value = (
                draw.choice(BINARY[:5]).format(*draw.sample([one, draw.choice(NUMBERS)], 2)) if draw.random() < 0.8 else f"{one} + r * s"
            )
            value = value.replace("tf.maximum(", "tf.maximum(") if not value.startswith("tf.maximum(") else f"tf.maximum({one}, 0.1)"
        elif chance < 0.9:
            value = draw.choice((f"tf.matmul({one}, w)", f"{one} @ w + r", f"tf.matmul(w, {one}, transpose_b=True)[:, :1]"))
            value = f"{one} @ w" if "transpose" in value else value
        else:
            value = f"{one} + {draw.choice(REDUCED).format(draw.choice(whole))}"
        lines.append(f"    v{place} = {value}")
        whole.append(f"v{place}")
    if draw.random() < 0.3:
        lines.append(f"    return v{place} + {draw.choice(whole)}")
    else:
        lines.append(f"    return {', '.join(f'v{one}' for one in range(place + 1))}")
    return HEAD + "\n".join(lines) + "\n"


def operands(seed: int, dtype: Any) -> list[Any]:
    draw = np.random.default_rng(seed)
    scale = draw.choice([1.0, 1e-3, 1e3])
    x, y = draw.normal(size=(2, 13, 7)) * scale
    x[0] = np.round(x[0])
    return [tf.constant(one, dtype) for one in (x, y, draw.normal(size=7), draw.normal(), draw.normal(size=(7, 7)))]


def kept(text: str, backend: Backend) -> bool:
    """Is it said that all bits are kept?"""
    facts = Facts(Source(text))
    function = next(one for one in facts.nodes((gast.FunctionDef,)))
    assert isinstance(function, gast.FunctionDef)
    return not changed(function.body, facts, backend) and beyond_rounding(function.body, facts, backend) is None


def run(function: Callable[..., Any], given: list[Any]) -> list[Any]:
    return [np.asarray(one) for one in tf.nest.flatten(function(*given))]


def compared(seeds: range, backend: Backend, counts: Counter[str]) -> list[str]:
    wrong = []
    for seed in seeds:
        text = formula(seed)
        counts["formulas"] += 1
        if not kept(text, backend):
            continue
        counts["kept"] += 1
        namespace: dict[str, Any] = {}
        exec(compile(text, f"formula {seed}", "exec"), namespace)
        compiled = tf.function(namespace["formula"], autograph=False, jit_compile=backend is Backend.XLA)
        for dtype in (tf.float32, tf.float64):
            given = operands(seed, dtype)
            pairs = zip(run(namespace["formula"], given), run(compiled, given), strict=True)
            if not all(np.array_equal(one, other, equal_nan=True) for one, other in pairs):
                wrong.append(f"formula {seed} of {dtype.name} in {backend.value}:\n{text}")
                break
    return wrong


@pytest.mark.parametrize("backend", [Backend.GRAPH, Backend.XLA], ids=lambda one: str(one.name))
def test_random_formulas_keep_their_bits(backend: Backend, record_property: Any) -> None:
    counts: Counter[str] = Counter()
    wrong = compared(range(100), backend, counts)
    record_property(f"random formulas in {backend.value}", dict(counts))
    assert not wrong, "\n".join(wrong)
    assert counts["kept"] >= 15, counts


@pytest.mark.fuzz
@pytest.mark.parametrize("seeds", [range(100, 300), *(range(first, first + 600) for first in range(1000, 4000, 600))], ids=str)
@pytest.mark.parametrize("backend", [Backend.GRAPH, Backend.XLA], ids=lambda one: str(one.name))
def test_many_random_formulas_keep_their_bits(backend: Backend, seeds: range) -> None:
    wrong = compared(seeds, backend, Counter())
    assert not wrong, "\n".join(wrong)


KEPT = {
    "x + y": (True, True),
    "x / 41.0": (False, False),
    "x / 4.0": (True, True),
    "1.0 / x": (False, True),
    "x * y + s": (True, False),
    "x + y + r": (False, True),
    "(x + 0.1) + 0.2": (False, False),
    "x * 0.9 + y * 0.1": (True, False),
    "tf.tanh(x @ w)": (True, False),
    "tf.tanh(x @ w + r)": (False, False),
    "x / tf.sqrt(y)": (False, False),
    "tf.exp(x) - 1.0": (False, False),
    "tf.reduce_max(tf.exp(x))": (False, False),
    "x ** 2": (False, False),
    "tf.maximum(x, 2.0 * x)": (False, True),
}


@pytest.mark.parametrize("expression", KEPT)
@pytest.mark.smoke
def test_what_is_said_of_one_formula(expression: str) -> None:
    text = f"{HEAD}    return {expression}\n"
    assert (kept(text, Backend.GRAPH), kept(text, Backend.XLA)) == KEPT[expression]
