"""What is known of operations: one row each, in one table.

`row.py` says what a row can hold, `call.py` what the rules that compute a result see of a call, `rules.py` holds those that several
operations share, `intervals.py` between which numbers results lie. `operators.py` says which operation an operator stands for,
`naming.py` which of its many names is an operation's canonical one. The rows stand in files by subject:

    elementwise  reductions  linalg  indexing  shapes  making  nn  random  control  io      TensorFlow's
    numpy  python                                                                           what others offer

A new operation is a row in the file of its subject; a new thing to know of operations is an attribute of `Op`. The tests check the
table against TensorFlow: names, parameters, and that no trait contradicts another.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from tfrewrite.ops import control, elementwise, indexing, io, linalg, making, nn, numpy, python, random, reductions, shapes
from tfrewrite.ops.row import UNKNOWN_OP, Op

TENSORFLOW = (
    *elementwise.ROWS,
    *reductions.ROWS,
    *linalg.ROWS,
    *indexing.ROWS,
    *shapes.ROWS,
    *making.ROWS,
    *nn.ROWS,
    *random.ROWS,
    *control.ROWS,
    *io.ROWS,
)
OTHERS = (*numpy.ROWS, *python.ROWS)
OPS: Mapping[str, Op] = {f"tensorflow.{row.name}": row for row in TENSORFLOW} | {row.name: row for row in OTHERS}
"""By the whole canonical name."""

# Here an operation goes by the name that it has in NumPy or in TensorFlow, and takes other arguments.
_NAMESAKES = (
    ("tensorflow.experimental.numpy.", ("numpy.",)),
    ("tensorflow.keras.ops.", ("numpy.", "tensorflow.", "tensorflow.nn.", "tensorflow.math.")),
    ("tensorflow.keras.activations.", ("tensorflow.nn.", "tensorflow.")),
)
# What holds of an operation whatever arguments it takes.
_OF_NUMBERS = {
    "is_never_negative", "keeps_sign", "totals", "takes_product", "takes_power", "subtracts", "multiplies", "squares", "scales", "inverts", "takes_logarithm",
    "shows_sign", "dtype_follows",
}  # fmt: skip


def op(name: str | None) -> Op:
    """The row of what a canonical name names; one that says nothing for what isn't known."""
    return OPS.get(name or "") or _namesake(name or "")


@functools.cache
def _namesake(name: str) -> Op:
    for prefix, packages in _NAMESAKES:
        if name.startswith(prefix):
            last = name.rpartition(".")[2]
            known = (OPS[package + last] for package in packages if package + last in OPS)
            for row in known:
                numbers = " ".join(sorted(set(row.traits) & _OF_NUMBERS))
                return Op(name, traits=numbers, bits=row.bits, error=row.error)
    return UNKNOWN_OP
