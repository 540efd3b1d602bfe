"""What a rewrite saves and what it costs the process that runs it.

Compiling needs memory itself: more than most small loops ever save. `benchmarks/costs.md` has the measurements (TensorFlow 2.16 and
2.21); the numbers here are their upper values, and for what is saved their lower ones, in bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import gast

from tfrewrite.facts import Facts
from tfrewrite.ops.made import Made
from tfrewrite.outcomes import Purpose, Setup, Worth

NOISE = 1_000_000
"""A gain below it is none."""

# The larger of what the exact meter and the operating system count. XLA's first compilation takes 9 to 17 MB by the exact meter, most of
# it for a moment, and 55 to 66 MB resident, most of it library code; each further one 7 to 15 MB for a moment.
XLA_FIRST = 80_000_000
XLA_EACH = 15_000_000
GRAPH_FIRST = 6_000_000
GRAPH_EACH = 1_600_000
PRODUCT_FIRST = 10_000_000
"""The first matrix product of a process compiles its kernels, and keeps them."""
NODE = 9_000
"""What an operation that isn't put into a graph saves, at least."""
NODE_OF_XLA = 50_000
MOST_ADDED = XLA_FIRST + 4 * XLA_EACH
"""So much, and no more, `--for time` and `--for both` may add to the memory of a process."""

_GRAPHS = ("fit", "evaluate", "predict", "train_on_batch")


@dataclass(frozen=True)
class Balance:
    """What a rewrite is for, and in half a sentence why."""

    purpose: Purpose
    said: str
    costs: int = 0


def balance(worth: Worth | None, facts: Facts) -> Balance:
    """What a rewrite is for, by what it saves in the whole process."""
    if worth is None:
        return Balance(Purpose.MEMORY, "")
    cost = costs(worth.setup, facts)
    what = _WHAT[worth.setup]
    if worth.saves is None:
        return Balance(Purpose.TIME, f"what it saves is not known, and {what} takes {_mb(cost)} of the process", cost)
    if worth.saves - cost >= NOISE:
        paid = f", and {what} takes {_mb(cost)}" if cost else ""
        return Balance(Purpose.MEMORY, f"it saves {_mb(worth.saves)}{paid}", cost)
    less = f"it saves {_mb(worth.saves)}" if worth.saves >= NOISE // 100 else "it saves next to nothing"
    why = f"{what} takes {_mb(cost)} of the process" if cost else "less than 1 MB counts for nothing"
    return Balance(Purpose.TIME, f"{less} at the peak, and {why}", cost)


def costs(setup: Setup, facts: Facts) -> int:
    """What has to be set up besides what the program sets up anyway."""
    match setup:
        case Setup.XLA:
            return XLA_EACH if _uses_xla(facts) else XLA_FIRST
        case Setup.GRAPH:
            return GRAPH_EACH if _uses_graphs(facts) else GRAPH_FIRST
        case Setup.PRODUCT:
            return 0 if _uses_products(facts) else PRODUCT_FIRST
    return 0


def compiled_already(facts: Facts) -> int:
    """What the functions that the file compiles by XLA add to its program, whoever wrote them."""
    count = sum(1 for _ in _by_xla(facts))
    return XLA_FIRST + (count - 1) * XLA_EACH if count else 0


def further(setup: Setup) -> int:
    """What has to be set up for one more of the kind."""
    return {Setup.XLA: XLA_EACH, Setup.GRAPH: GRAPH_EACH}.get(setup, 0)


def _uses_xla(facts: Facts) -> bool:
    return next(_by_xla(facts), None) is not None


def _by_xla(facts: Facts) -> Iterator[gast.Call]:
    for call in facts.nodes((gast.Call,)):
        if isinstance(call, gast.Call) and any(
            one.arg == "jit_compile" and isinstance(one.value, gast.Constant) and one.value.value is True for one in call.keywords
        ):
            yield call


def _uses_graphs(facts: Facts) -> bool:
    names = (*facts.nodes((gast.Attribute,)), *facts.nodes((gast.Name,)))
    return any(facts.names(one) == "tensorflow.function" or _is_of_model(one, facts) for one in names)


def _is_of_model(method: gast.AST, facts: Facts) -> bool:
    """Is it a method of an object of Keras that makes a graph? scikit-learn's `fit` makes none."""
    return isinstance(method, gast.Attribute) and method.attr in _GRAPHS and isinstance(facts.kind(method.value).instance, Made)


def _uses_products(facts: Facts) -> bool:
    """Does TensorFlow multiply matrices of floats here? Neither NumPy's products nor those of integers and halves set up these kernels."""
    operators = (one for one in facts.nodes((gast.BinOp,)) if isinstance(one, gast.BinOp) and isinstance(one.op, gast.MatMult))
    calls = (one for one in facts.nodes((gast.Call,)) if facts.op(one).sets_up_products)
    return any(_is_of_matrices(one, facts) for one in (*operators, *calls))


def _is_of_matrices(product: gast.AST, facts: Facts) -> bool:
    kind = facts.kind(product)
    whole = kind.rank == 2 or (isinstance(product, gast.Call) and facts.called(product) == "tensorflow.tensordot")
    return whole and kind.is_tensor and kind.dtype in ("float32", "float64")


_WHAT = {
    Setup.NOTHING: "setting nothing up",
    Setup.GRAPH: "making a graph",
    Setup.XLA: "compiling by XLA",
    Setup.PRODUCT: "the first matrix product",
}


def _mb(size: int) -> str:
    return f"{size / 1e6:.2g} MB" if size < 1e8 else f"{size / 1e6:.0f} MB"
